# One size of a kernel example on the PTX machine: every schedule must be right and without reports,
# and the counters of the first within their limits.
#
#     cmake -D PROGRAM=… -D LIBRARY=…/libcudart.so.13 -D SIZE=129x257 -D SCHEDULES=20
#           -D DIMENSIONS=rows;columns -D "LIMITS=transpose: conflicts == 0" -P run_on_machine.cmake
#
# The counters are kept next to the program, as PROGRAM.SIZE.json.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/counters.cmake)

math(EXPR last "${SCHEDULES} - 1")
foreach(k RANGE 0 ${last})
  settings_of_schedule(${k} settings)
  if(k EQUAL 0)
    set(settings AXE_MACHINE_COUNTERS=json)
  endif()
  run_on_machine(SETTINGS ${settings} ARGUMENTS ${SIZE})
  if(NOT code EQUAL 0 OR reports)
    message("${said}")
    message(FATAL_ERROR "schedule ${k} (${settings}): exit code ${code}")
  endif()
  if(k EQUAL 0)
    file(WRITE ${PROGRAM}.${SIZE}.json "${counted}")
    string(REPLACE "${counted}" "" said "${said}")
    message("${said}")
    check_limits("${counted}" "${SIZE}" "${DIMENSIONS}" "${LIMITS}" problems)
    if(problems)
      message(FATAL_ERROR "${problems}")
    endif()
  endif()
endforeach()
list(LENGTH LIMITS limits)
message("${SCHEDULES} schedules without a report, ${limits} limits hold")
