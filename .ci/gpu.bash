# `./run gpu`: the kernel examples on the GPU of this machine; sourced by `run`, with $root set.
#
# Needs nvcc, CMake, make or Ninja, and the tree: nothing is installed and nothing comes from the network. Exit code 4: there is no GPU.
# Every part ends with one report file; what is not there (profiler, sanitizer, cuBLASLt, the PTX machine) is said in it.

# A part ends within 8 minutes, building included: nothing begins after gpu_limit seconds, and nothing may take more than 100.
gpu_report='' gpu_rehearsal='' gpu_machine='' gpu_suffix='' gpu_started=$SECONDS gpu_limit=380 gpu_failed=0 gpu_left=() gpu_number=0

gpu_say() { printf '%s\n' "$*" | tee -a "$gpu_report" >&2; }

# nvidia-smi where there is one, else the device files that its driver makes.
gpu_is_here() {
  [ -z "$gpu_rehearsal" ] || return 0
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi -L 2>/dev/null | grep -q '^GPU'
  else
    compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]
  fi
}

gpu_query() {  # gpu_query FIELDS
  if [ -n "$gpu_rehearsal" ]; then case $1 in compute_cap) echo 9.0 ;; *) echo "PTX machine" ;; esac; return; fi
  nvidia-smi --query-gpu="$1" --format=csv,noheader -i 0 2>/dev/null || echo unknown
}

gpu_find() {  # gpu_find TOOL: its path, or nothing
  local folder
  command -v "$1" && return
  folder=$(dirname "$(sed -n 's/^nvcc: //p' <<<"$cuda_found")")
  [ ! -x "$folder/$1" ] || echo "$folder/$1"
}

# Configures and builds once; says what went wrong, and ends the run with 3 when it cannot build at all.
gpu_build() {
  local generator='Unix Makefiles' log=$root/build/logs/gpu-build.log
  command -v cmake >/dev/null && at_least "$(cmake --version | sed -n '1s/[^0-9]*//p')" 3.25 || stop 3 "this needs CMake 3.25 or later; ./run gpu installs nothing"
  if command -v ninja >/dev/null; then generator=Ninja; elif ! command -v make >/dev/null; then stop 3 "this needs make or ninja; ./run gpu installs nothing"; fi
  cuda_found=$(toolkit '' '')
  [ -z "$(sed -n 's/^lacks: .*no nvcc.*/no/p' <<<"$cuda_found")" ] && [ -n "$(sed -n 's/^nvcc: //p' <<<"$cuda_found")" ] ||
    stop 3 "this needs nvcc 13.0 or later ($(sed -n 's/^lacks: //p' <<<"$cuda_found")); ./run gpu installs nothing"
  mkdir -p "${log%/*}"
  step "building the kernel examples"
  : >"$log"
  quietly "$log" cmake -S "$root" -B "$root/build/gpu" -G "$generator" -D CMAKE_BUILD_TYPE=Release -D BUILD_TESTING=OFF -D AXE_CUDA=required -D AXE_CUDA_ROOT= ||
    { tail -n 20 "$log" >&2; stop 1 "configuring failed (all of it: build/logs/gpu-build.log)"; }
  [ -z "$gpu_only" ] || grep -q "^$gpu_only|" "$root/build/gpu/examples/kernels.txt" ||
    stop 2 "no kernel example is called '$gpu_only': $(cut -d '|' -f 1 "$root/build/gpu/examples/kernels.txt" | xargs)"
  quietly "$log" cmake --build "$root/build/gpu" --target "${gpu_only:-kernel_examples}" -j "$jobs" ||
    { grep -a -m 10 -E 'error|ptxas' "$log" >&2; stop 1 "the build failed (all of it: build/logs/gpu-build.log)"; }
  gpu_machine=$root/build/gpu-machine/runtime/lib/libcudart.so.13
  [ "$1" = check ] || [ -n "$gpu_rehearsal" ] || return 0
  step "building the PTX machine, to compare with"
  if ! quietly "$log" cmake -S "$root/tests/machine" -B "$root/build/gpu-machine" -G "$generator" -D CMAKE_BUILD_TYPE=Release \
    -D CUDA_HEADERS="$(sed -n 's/^headers: //p' <<<"$cuda_found")" || ! quietly "$log" cmake --build "$root/build/gpu-machine" --target machine_cudart -j "$jobs"; then
    gpu_machine=''
    [ -z "$gpu_rehearsal" ] || stop 1 "the PTX machine could not be built (all of it: build/logs/gpu-build.log)"
  fi
}

# Is the next piece of work, an example at one size, in this part?
gpu_mine() { ((gpu_number++ % gpu_parts == gpu_part - 1)); }

# name|program|architecture|sizes|sizes of figures of the examples asked for.
gpu_examples() {
  local line
  while read -r line; do
    [ -n "$line" ] || continue
    [ -z "$gpu_only" ] || [ "$gpu_only" = "${line%%|*}" ] || continue
    echo "$line"
  done <"$root/build/gpu/examples/kernels.txt"
}

gpu_has_time() {  # gpu_has_time WHAT: or it is left for another call
  ((SECONDS - gpu_started < gpu_limit)) && return
  gpu_left+=("$1")
  return 1
}

gpu_result() {  # gpu_result CODE WHAT LOG: one line of the table, and the words of what failed
  if (($1 == 0)); then gpu_say "| $2 | right |"; return; fi
  gpu_failed=$((gpu_failed + 1))
  gpu_say "| $2 | **failed** ($1): $(tr '\n|' '  ' <"$3" | cut -c 1-300) |"
}

gpu_head() {  # gpu_head TITLE
  local tool
  mkdir -p "${gpu_report%/*}"
  : >"$gpu_report"
  gpu_say "# $1"
  gpu_say ""
  gpu_say "* $(gpu_query name), $(gpu_query memory.total) of memory, driver $(gpu_query driver_version), on $(hostname), $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  gpu_say "* nvcc $(sed -n 's/^version: //p' <<<"$cuda_found"), commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)"
  for tool in compute-sanitizer ncu; do gpu_say "* $tool: $(gpu_find "$tool" | grep . || echo 'not found, what it would say is missing')"; done
  gpu_say ""
}

# --- check ------------------------------------------------------------------------------------------------------------

gpu_check() {
  local name program architecture sizes figures size seed log=$root/build/logs/gpu-check.log sanitizer='' profiler='' tool held=$root/build/gpu/held first mine rc against
  [ -n "$gpu_rehearsal" ] || { sanitizer=$(gpu_find compute-sanitizer || :) profiler=$(gpu_find ncu || :); }
  gpu_head "Kernel examples on a GPU"
  [ -n "$gpu_machine" ] || gpu_say "The PTX machine could not be built (build/logs/gpu-build.log): nothing is compared with it."
  gpu_say "| what | result |"
  gpu_say "|---|---|"
  while IFS='|' read -r name program architecture sizes figures; do
    if ! gpu_fits "$architecture"; then gpu_say "| $name | not run: its code is for $architecture, this GPU is $(gpu_query compute_cap) |"; continue; fi
    first=${sizes%% *} mine=''
    for size in $sizes; do
      gpu_mine || continue
      gpu_has_time "$name $size" || continue
      [ "$size" != "$first" ] || mine=yes
      rm -rf "$held" && mkdir -p "$held"
      against=()
      if [ -n "$gpu_machine" ]; then
        rc=0
        LD_PRELOAD=$gpu_machine AXE_MACHINE_COUNTERS=json "$program" --dump "$held" "$size" >"$held/counters.json" 2>"$log" || rc=$?
        if ((rc == 0)); then against=(--compare "$held"); else gpu_result "$rc" "$name $size on the PTX machine" "$log"; fi
      fi
      gpu_run "$name $size" "$log" "$program" "${against[@]}" "$size"
      for seed in 2 3; do gpu_run "$name $size, seed $seed" "$log" "$program" --seed "$seed" "$size"; done
    done
    [ -n "$mine" ] || continue
    if [ -n "$sanitizer" ]; then
      for tool in memcheck racecheck initcheck synccheck; do
        gpu_has_time "$name $first, $tool" || continue
        gpu_run "$name $first, compute-sanitizer $tool" "$log" "$sanitizer" --tool "$tool" --error-exitcode 9 "$program" "$first"
      done
    fi
    [ -z "$profiler" ] || ! gpu_has_time "$name $first, counters" || gpu_profile "$name" "$program" "$first" "$profiler" "$log"
  done < <(gpu_examples)
}

gpu_run() {  # gpu_run WHAT LOG COMMAND...
  local what=$1 log=$2 rc=0
  shift 2
  timeout 100 env ${gpu_rehearsal:+LD_PRELOAD="$gpu_machine"} "$@" >"$log" 2>&1 </dev/null || rc=$?
  ((rc != 4)) || stop 4 "the program finds no GPU: $(head -n 1 "$log")"
  gpu_result "$rc" "$what" "$log"
}

# sm_80 runs on everything later; sm_90a on 9.0 alone, as every architecture with an a.
gpu_fits() {  # gpu_fits ARCHITECTURE
  local capability mine=${1#sm_}
  capability=$(gpu_query compute_cap)
  capability=${capability//[!0-9]/}
  [ -n "$capability" ] || return 0
  if [[ $mine = *a ]]; then [ "${mine%a}" = "$capability" ]; else ((capability >= mine)); fi
}

# What the machine counts against what the GPU's counters say, for each kernel: bank conflicts and sectors.
gpu_profile() {  # gpu_profile NAME PROGRAM SIZE PROFILER LOG
  local csv=$root/build/gpu/counters.csv rc=0
  if ! timeout 100 "$4" --csv --page raw --print-units base --metrics \
l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,\
l1tex__data_pipe_lsu_wavefronts_mem_shared.sum "$2" "$3" >"$csv" 2>"$5"; then
    gpu_say "| $1 $3, counters | not compared: $(grep -a -m 1 -E 'ERR|==ERROR==' "$csv" "$5" | cut -c 1-200) |"
    return
  fi
  [ -s "$root/build/gpu/held/counters.json" ] && [ -n "$gpu_machine" ] || { gpu_say "| $1 $3, counters | measured, and nothing to compare with |"; return; }
  LD_PRELOAD=$gpu_machine AXE_MACHINE_COUNTERS=json "$2" "$3" >"$root/build/gpu/held/counters.json" 2>/dev/null || :
  cmake -D CSV="$csv" -D JSON="$root/build/gpu/held/counters.json" -P "$root/examples/support/profiled.cmake" >"$5" 2>&1 || rc=$?
  gpu_say "| $1 $3, counters | $(tr '\n|' '  ' <"$5" | cut -c 1-400) |"
  ((rc == 0)) || gpu_failed=$((gpu_failed + 1))
}

# --- bench ------------------------------------------------------------------------------------------------------------

gpu_bench() {
  local name program architecture sizes figures size log=$root/build/logs/gpu-bench.log lines=$root/build/gpu/figures.jsonl rc clocks line
  gpu_head "Figures of the kernel examples"
  gpu_say "* random normal inputs; rounds interleaved with the baselines of the same process; median, p10, p90; clocks as found, nothing is set"
  gpu_say "* cuBLASLt: $(ldconfig -p 2>/dev/null | grep -q 'libcublasLt\.so\.13' && echo found || echo 'not on the loader'"'"'s path; programs say whether they found it')"
  gpu_say ""
  gpu_say "| example | size | figure | clock, temperature, power |"
  gpu_say "|---|---|---|---|"
  : >"$lines"
  while IFS='|' read -r name program architecture sizes figures; do
    [ -z "$gpu_rehearsal" ] || figures=${figures:+${sizes%% *}}  # what a GPU does in a second takes the machine hours
    gpu_fits "$architecture" || { gpu_say "| $name | | not run: its code is for $architecture | |"; continue; }
    for size in $figures; do
      gpu_mine || continue
      gpu_has_time "$name $size" || continue
      rc=0
      timeout 100 env ${gpu_rehearsal:+LD_PRELOAD="$gpu_machine"} "$program" --bench --results "$lines" "$size" >"$log" 2>&1 </dev/null || rc=$?
      ((rc != 4)) || stop 4 "the program finds no GPU: $(head -n 1 "$log")"
      clocks=$(gpu_query clocks.sm,temperature.gpu,power.draw)
      ((rc == 0)) || gpu_result "$rc" "$name | $size" "$log"
      while read -r line; do gpu_say "| $name | $size | ${line#*: } | $clocks |"; done < <(grep -a ' us (p10' "$log" || :)
    done
  done < <(gpu_examples)
  [ -z "$gpu_rehearsal" ] || { gpu_say "A rehearsal: the times are those of the PTX machine, no figures, and are not kept."; return; }
  [ -s "$lines" ] || { gpu_say "no figures: no example has sizes of figures (BENCH), or none ran"; return; }
  local stem=$root/benchmarks/results/$(gpu_query name | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9-')-$(date -u +%Y-%m-%d-%H%M)$gpu_suffix
  mkdir -p "${stem%/*}"
  if cmake -D LINES="$lines" -D OUT="$stem.json" -D "MACHINE=$(gpu_query name)" -D "DRIVER=$(gpu_query driver_version)" \
    -D "DATE=$(date -u +%Y-%m-%dT%H:%M:%SZ)" -D "COMPILER=nvcc $(sed -n 's/^version: //p' <<<"$cuda_found")" -P "$root/examples/support/results.cmake" >&2; then
    cp "$gpu_report" "$stem.md"
    gpu_say ""
    gpu_say "Written: ${stem#"$root"/}.json and .md"
  else
    gpu_failed=$((gpu_failed + 1))
  fi
}
