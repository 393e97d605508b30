# Runs a program. Fails unless its exit code is CODE and its output matches the expression SAYS.
#
#     cmake -D "RUN=demo;--gallery;bad.axe;--out;x" -D CODE=2 -D "SAYS=line 3" -P expect.cmake
execute_process(COMMAND ${RUN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "exit code ${code}, not ${CODE}:\n${out}")
endif()
if(NOT out MATCHES "${SAYS}")
  message(FATAL_ERROR "no '${SAYS}' in:\n${out}")
endif()
