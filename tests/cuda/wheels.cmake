# Configures axe with the Python wheels as its only CUDA, compiles and links one kernel, and checks
# that the program has machine code.
#
#     cmake -D AXE_SOURCE=. -D WHEELS=build/python/cuda/nvidia/cu13 -D WORK=/tmp/x -D COMPILER=g++
#           -D GENERATOR=Ninja -P wheels.cmake
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT rc EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "wheels: ${what} failed")
  endif()
  message(STATUS "wheels: ${what} done")
endfunction()

file(REMOVE_RECURSE ${WORK})
run("configuring" ${CMAKE_COMMAND} -S ${AXE_SOURCE} -B ${WORK} -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER}
  -D AXE_CUDA=required -D AXE_CUDA_ROOT=${WHEELS} -D AXE_CHECK_COMPILERS=)
run("compiling and linking a kernel" ${CMAKE_COMMAND} --build ${WORK} --target cuda_empty_kernel)
run("checking its machine code" ${CMAKE_COMMAND} -D CUOBJDUMP=${WHEELS}/bin/cuobjdump
  -D PROGRAMS=${WORK}/tests/cuda/bin/cuda_empty_kernel -P ${CMAKE_CURRENT_LIST_DIR}/has_code.cmake)
