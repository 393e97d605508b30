#!/usr/bin/env bash
# `./run gpu` without a GPU: its words, its exit codes, its reports with the PTX machine in the GPU's place, and what it makes of a profiler's output.
#
#     gpu.bash ROOT WORK [KERNELS.txt LIBCUDART.so.13 NVCC]       without the last three: what needs no program
set -uo pipefail
tree=$1 work=$2 kernels=${3:-} library=${4:-} nvcc=${5:-nvcc}
rm -rf "$work" && mkdir -p "$work/build/gpu/examples" "$work/build/logs" "$work/benchmarks"
ln -s "$tree/examples" "$work/examples"
failures=0

check() {  # check WHAT CODE REGEX COMMAND...: its exit code, and what it says
  local what=$1 wanted=$2 regex=$3 said code=0
  shift 3
  said=$("$@" 2>&1) || code=$?
  [ "$code" = "$wanted" ] && [[ $said =~ $regex ]] && return
  echo "$what: exit code $code, wanted $wanted and '$regex'; said: $said"
  failures=$((failures + 1))
}

# The command line, on a machine whose PATH has no nvidia-smi and whose /dev has no GPU; with one, the checks of the words alone.
check "no word" 2 'check or bench' "$tree/run" gpu
check "another word" 2 'check or bench' "$tree/run" gpu melt
check "a part" 2 '--part is K/N' "$tree/run" gpu check --part 5/4
check "a value" 2 '--only needs a value' "$tree/run" gpu bench --only
check "an option" 2 'no option' "$tree/run" gpu check --fast
check "a preset" 2 'takes the toolkit that it finds' "$tree/run" gpu check --preset asan
check "help" 0 'Exit code 4: no GPU' "$tree/run" gpu --help
if ! command -v nvidia-smi >/dev/null && ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && [ ! -e /dev/dxg ]; then
  check "no GPU" 4 'there is no GPU here' "$tree/run" gpu check
  check "no GPU to measure" 4 'there is no GPU here' "$tree/run" gpu bench --only which_lane
fi

# The profiler's output against the machine's counters.
cat >"$work/counters.json" <<'END'
[{"kernel":"_Z9transposePf","launches":1,"global":{"load":{"sectors":40,"minimum":40},"store":{"sectors":41,"minimum":40}},"shared":{"load":{"wavefronts":500,"minimum":490}}}]
END
columns='"ID","Kernel Name","l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum","l1tex__data_pipe_lsu_wavefronts_mem_shared.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"'
profiled() {  # profiled CONFLICTS LOADS: two launches, the second without sectors
  printf '==PROF== Connected\n%s\n"","","","","sector","sector"\n"0","transpose(float *)","%s","1,000","%s","41"\n"1","transpose(float *)","0","0","0","0"\n' "$columns" "$1" "$2" >"$work/counters.csv"
  cmake -D CSV="$work/counters.csv" -D JSON="$work/counters.json" -P "$tree/examples/support/profiled.cmake"
}
check "as predicted" 0 'transpose: bank conflicts 10 predicted, 12 measured; sectors loaded 40, 40; stored 41, 41' profiled 12 40
check "more conflicts" 1 'they differ' profiled 90 40
check "other sectors" 1 'they differ' profiled 10 44
: >"$work/counters.csv"
check "no output" 1 'has no kernel in it' cmake -D CSV="$work/counters.csv" -D JSON="$work/counters.json" -P "$tree/examples/support/profiled.cmake"

# Figures become one file; those of the PTX machine do not.
figure() { printf '{"example":"a","size":"8x8","what":"b [c]; d","simulated":%s,"baselines":[{"name":"x"}]}\n' "$1"; }
results() { cmake -D LINES="$work/figures.jsonl" -D OUT="$work/results.json" -D "MACHINE=NVIDIA H200" -D DRIVER=580.1 -D DATE=2026-11-20 -D "COMPILER=nvcc 13.0" -P "$tree/examples/support/results.cmake"; }
{ figure false; figure false; } >"$work/figures.jsonl"
check "figures" 0 '2 figures' results
check "are one JSON" 0 '"machine" : "NVIDIA H200"' cat "$work/results.json"
check "with their words" 0 'b \[c\]; d' cat "$work/results.json"
{ figure false; figure true; } >"$work/figures.jsonl"
check "figures of the machine" 1 'a figure of the PTX machine is none' results
echo nothing >"$work/figures.jsonl"
check "no figures" 1 'no figure: nothing' results

# Both reports, rehearsed.
if [ -n "$kernels" ]; then
  cp "$kernels" "$work/build/gpu/examples/kernels.txt"
  rehearse() (  # rehearse check|bench NAME
    root=$work jobs=1 cuda_found="nvcc: $nvcc"
    source "$tree/.ci/install.bash"
    source "$tree/.ci/gpu.bash"
    gpu_rehearsal=yes gpu_machine=$library gpu_only=$2 gpu_part=${3:-1} gpu_parts=${4:-1} gpu_limit=${5:-380} gpu_report=$work/$1.md gpu_started=$SECONDS
    "gpu_$1" 2>/dev/null
    echo "$gpu_failed failed, left: ${gpu_left[*]:-}"
    cat "$gpu_report"
  )
  check "the report of a check" 0 '^0 failed.*which_lane 1x8, seed 3 \| right' rehearse check which_lane
  check "the second part of three" 0 '^0 failed, left:[^0-9]*# .*which_lane 1x8 \| right' rehearse check which_lane 2 3
  check "and no other" 1 '' grep -E '16x16|129x257' "$work/check.md"
  check "no time" 0 'left: which_lane 16x16 which_lane 1x8 which_lane 129x257' rehearse check which_lane 1 1 0
  rehearse check which_lane >/dev/null
  check "which compares with the machine" 0 'PTX machine' cat "$work/check.md"
  check "a report of figures" 0 '\| vector_copy \| 1x8 \| .* us \(p10 .*A rehearsal: the times are those of the PTX machine' rehearse bench vector_copy
  check "what has no figures" 0 'A rehearsal' rehearse bench which_lane
  sed -i 's/^\(which_lane|[^|]*\)|sm_90a/\1|sm_100a/' "$work/build/gpu/examples/kernels.txt"
  check "code for another GPU" 0 'not run: its code is for sm_100a' rehearse check which_lane
  sed -i 's/^which_lane|[^|]*|sm_100a/which_lane|\/bin\/false|sm_90a/' "$work/build/gpu/examples/kernels.txt"
  check "a program that fails" 0 '\*\*failed\*\* \(1\)' rehearse check which_lane
fi
((failures == 0))
