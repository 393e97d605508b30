# A missing header: one line on standard error, exit code 2, no output.
execute_process(COMMAND ${PYTHON} -B ${SCRIPT} axe/no_such_header.hpp OUTPUT_VARIABLE out ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 2 OR NOT out STREQUAL "" OR NOT said MATCHES "^single_header: there is no axe/no_such_header.hpp in [^\n]*\n$")
  message(FATAL_ERROR "exit code ${code}, output '${out}', said '${said}'")
endif()
