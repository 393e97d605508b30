# Runs a program on the PTX machine's replacement of libcudart; for the scripts in this folder.
#
#     run_on_machine(SETTINGS AXE_MACHINE_LANDING=late ARGUMENTS 129x257)
#
# Needs PROGRAM and LIBRARY. Sets `code` (exit code), `said` (all output), `counted` (standard
# output alone) and `reports` (the machine's reports, or empty).
cmake_path(GET LIBRARY PARENT_PATH library_folder)
string(RANDOM LENGTH 8 run_name)
set(faults ${PROGRAM}.${run_name}.faults)

function(run_on_machine)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SETTINGS;ARGUMENTS")
  file(REMOVE ${faults})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=${LIBRARY}
    LD_LIBRARY_PATH=${library_folder} AXE_MACHINE_STRICT=1
      AXE_MACHINE_FAULTS=${faults} ${arg_SETTINGS} ${PROGRAM} ${arg_ARGUMENTS}
    RESULT_VARIABLE code OUTPUT_VARIABLE counted ERROR_VARIABLE said TIMEOUT 300)
  set(reports "")
  if(EXISTS ${faults})
    file(READ ${faults} reports)
    file(REMOVE ${faults})
  endif()
  set(code "${code}" PARENT_SCOPE)
  set(said "${counted}${said}" PARENT_SCOPE)
  set(counted "${counted}" PARENT_SCOPE)
  set(reports "${reports}" PARENT_SCOPE)
endfunction()

# In schedule 0 copies complete at once, in 1 as late as allowed. In the others they complete at
# random, and warps run in random order.
function(settings_of_schedule k into)
  if(k EQUAL 0)
    set(${into} "" PARENT_SCOPE)
  elseif(k EQUAL 1)
    set(${into} AXE_MACHINE_LANDING=late PARENT_SCOPE)
  else()
    set(${into} AXE_MACHINE_LANDING=random AXE_MACHINE_SEED=${k} PARENT_SCOPE)
  endif()
endfunction()
