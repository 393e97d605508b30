# Tests the checks of kernel examples (examples/kernels.cmake): each must report the mistakes that
# it is given.
#
#     cmake -D SUPPORT=…/examples/support -D WORK=FOLDER [-D NVCC=…] -P kernel_checks.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(failures "")

# Runs a script. Its output must match `regex`, and it must fail if `fails` is YES.
function(expect what fails regex)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} RESULT_VARIABLE code
    OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if((fails AND code EQUAL 0) OR (NOT fails AND NOT code EQUAL 0) OR NOT said MATCHES "${regex}")
    set(failures "${failures}${what}: exit code ${code}, said: ${said}\n" PARENT_SCOPE)
  endif()
endfunction()

# compile.cmake. `cmake -E echo` replaces nvcc and prints ptxas's messages.
set(compile -P ${SUPPORT}/compile.cmake -- ${CMAKE_COMMAND} -E)
expect("a compiler that fails" YES "nvcc failed" ${compile} false -o ${WORK}/a)
expect("no output named" YES "usage: cmake -P compile.cmake" ${compile} echo hello)
expect("no complaint" NO "^ ?$" ${compile} echo
  "ptxas info : (C1234) a note,     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
  -o ${WORK}/a)
expect("wgmma serialised" YES "C7510.*ptxas reports lost performance" ${compile} echo
  "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized"
  -o ${WORK}/a)
expect("a spill" YES "0 bytes of local memory, 4 bytes of spill stores, 8 of spill loads" ${compile}
  echo
  "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads" -o ${WORK}/a)
if(NVCC)
  file(WRITE ${WORK}/local.cu "__global__ void local(int* out, int const* at) {
    int kept[512], s = 0;
    for (int i = 0; i < 512; ++i) kept[at[i]] = at[i + threadIdx.x];
    for (int i = 0; i < 512; ++i) s += kept[at[i] ^ threadIdx.x];
    out[threadIdx.x] = s;
  }\n")
  expect("local memory, by nvcc itself" YES "local for sm_90a: 2048 bytes of local memory"
    -P ${SUPPORT}/compile.cmake -- ${NVCC} -arch=sm_90a -cubin
    ${WORK}/local.cu -o ${WORK}/local.cubin)
  if(EXISTS ${WORK}/local.cubin)
    string(APPEND failures "a rejected file is kept\n")
  endif()
endif()

# kernel_rules.cmake
file(WRITE ${WORK}/good.cuh "// A comment.\n#pragma once\n\n#include <axe/cuda/tensor.hpp>\n#include <cuda_bf16.h>\n#include \"good.cuh\"\n\n__global__ void k(int a[3]);\n")
string(REPEAT "int x;\n" 81 many)
file(WRITE ${WORK}/long.cuh "// A comment.\n#include <axe/axe.hpp>\n${many}")
string(REPEAT "x" 101 wide)
file(WRITE ${WORK}/wide.cuh "${wide}\n")
file(WRITE ${WORK}/inside.cuh "#include <axe/base/text.hpp>\n#include <vector>\n")
set(rules -P ${SUPPORT}/kernel_rules.cmake)
expect("a kernel within the rules" NO "1 files follow the rules" -D FILES=${WORK}/good.cuh ${rules})
expect("81 lines" YES "long.cuh: 81 lines" -D FILES=${WORK}/long.cuh ${rules})
expect("101 columns" YES "wide.cuh:1: 101 columns" -D FILES=${WORK}/wide.cuh ${rules})
expect("headers that are not public" YES "inside.cuh:1:.*base.*inside.cuh:2:.*<vector>"
  -D FILES=${WORK}/inside.cuh ${rules})
string(REPEAT "int x;\n" 75 many)
file(WRITE ${WORK}/22_paper/tiles.cuh "#pragma once\n${many}")
file(WRITE ${WORK}/22_paper/kernel.cuh
  "#include \"tiles.cuh\"\n${many}// A comment.\n\n__global__ void k(int a[3]);\n")
expect("151 lines of a kernel and its header" YES "22_paper/kernel.cuh: 151 lines of code"
  -D FILES=${WORK}/22_paper/kernel.cuh ${rules})

# counters.cmake
include(${SUPPORT}/counters.cmake)
set(json [==[[{"kernel":"_ZN4deep4sumsIfEEvPf","launches":2,"global":{"load":{"sectors":12,"minimum":10}},"shared":{"load":{"wavefronts":5,"minimum":4},"store":{"wavefronts":9,"minimum":9}},"bulk":{"loaded":4096},"tensor_operations":0},
  {"kernel":"plain","launches":1,"global":{},"shared":{},"bulk":{"loaded":0},"tensor_operations":8}]]==])
function(limit text regex)
  check_limits("${json}" 3x5 "m;n" "${text}" problems)
  if(NOT "${problems}" MATCHES "${regex}")
    set(failures "${failures}limit '${text}': '${problems}'\n" PARENT_SCOPE)
  endif()
endfunction()
limit("sums: conflicts == 1" "^$")
limit("sums: sectors_beyond == m - 1" "^$")
limit("sums: bulk.loaded == (m+n)*512" "^$")
limit("plain: tensor_operations >= n;plain: conflicts <= 0" "^$")
limit("*: launches <= 2" "^$")
limit("sums: conflicts == 0" "at 3x5, sums: conflicts is 1, and should be == 0")
limit("*: launches == 1" "sums: launches is 2")
limit("sum: conflicts == 1" "no kernel called sum ran")
limit("plain: tensor_operations <= n" "is 8, and should be <= n = 5")

# machine.cmake and the scripts that use it: a failing program is a failure.
expect("a program that fails" YES "schedule 0.*exit code" -D PROGRAM=/bin/false
  -D LIBRARY=${WORK}/none.so -D SIZE=1x1 -D SCHEDULES=2 -P ${SUPPORT}/run_on_machine.cmake)
expect("mutants of a program that fails" YES "the unchanged program" -D PROGRAM=/bin/false
  -D LIBRARY=${WORK}/none.so -D SIZE=1x1 -D AT_MOST=2 -P ${SUPPORT}/mutants.cmake)

if(failures)
  message(FATAL_ERROR "${failures}")
endif()
