# Fails unless cuobjdump finds sm_90a code with an EXIT instruction in each of PROGRAMS.
#
#     cmake -D CUOBJDUMP=/usr/local/cuda/bin/cuobjdump -D "PROGRAMS=a;b" -P has_code.cmake
if(NOT PROGRAMS)
  message(FATAL_ERROR "PROGRAMS is empty")
endif()
foreach(program IN LISTS PROGRAMS)
  execute_process(COMMAND ${CUOBJDUMP} -sass ${program} OUTPUT_VARIABLE code
    ERROR_VARIABLE problem RESULT_VARIABLE rc)
  if(NOT rc EQUAL 0 OR NOT code MATCHES "arch = sm_90a" OR NOT code MATCHES "EXIT")
    message(FATAL_ERROR "${program}: no code for sm_90a\n${problem}${code}")
  endif()
  string(REGEX MATCHALL "Function : [^\n]*" kernels "${code}")
  list(LENGTH kernels count)
  message(STATUS "${program}: ${count} kernels for sm_90a")
endforeach()
