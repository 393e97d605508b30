# Bad input: a sentence on standard error, exit code 2, no output.
function(rejects pattern)
  execute_process(COMMAND ${PYTHON} -B ${SCRIPT} ${ARGN} OUTPUT_VARIABLE out
    ERROR_VARIABLE said RESULT_VARIABLE code)
  if(NOT code EQUAL 2 OR NOT out STREQUAL "" OR NOT said MATCHES "${pattern}")
    message(FATAL_ERROR "${ARGN}: exit code ${code}, output '${out}', said '${said}'")
  endif()
endfunction()
rejects("--core takes no headers" --core axe/index.hpp)
rejects("begins with axe/, as axe/index.hpp, not '../README.md'" ../README.md)
rejects("there is no axe/ in nowhere" --include nowhere)

# A header is written once, even if its name is written in two ways.
execute_process(COMMAND ${PYTHON} -B ${SCRIPT} axe/config.hpp ./axe//config.hpp
  OUTPUT_VARIABLE out COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "// --- [^\n]*config.hpp" found "${out}")
if(NOT found STREQUAL "// --- axe/config.hpp")
  message(FATAL_ERROR "two names of one header: ${found}")
endif()

# A missing header is reported in one line.
execute_process(COMMAND ${PYTHON} -B ${SCRIPT} axe/no_such_header.hpp
  OUTPUT_VARIABLE out ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 2 OR NOT out STREQUAL ""
   OR NOT said MATCHES "^single_header: there is no axe/no_such_header.hpp in [^\n]*\n$")
  message(FATAL_ERROR "exit code ${code}, output '${out}', said '${said}'")
endif()
