# Configures, builds and runs one consumer project in a new folder.
#
#     cmake -D KIND=find_package -D AXE_SOURCE=. -D AXE_BUILD=build/gcc -D WORK=/tmp/x
#           -D COMPILER=g++ -D GENERATOR=Ninja -P consume.cmake
#
# KIND find_package installs axe first and checks that all headers were installed.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT rc EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "${KIND}: ${what} failed")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(options -D CMAKE_CXX_COMPILER=${COMPILER} -G ${GENERATOR})
if(KIND STREQUAL "find_package")
  run("install" ${CMAKE_COMMAND} --install ${AXE_BUILD} --prefix ${WORK}/prefix)
  file(GLOB_RECURSE in_tree RELATIVE ${AXE_SOURCE}/include
    ${AXE_SOURCE}/include/axe/*.hpp ${AXE_SOURCE}/include/axe/*.def)
  file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix/include ${WORK}/prefix/include/*)
  if(NOT in_tree STREQUAL installed)
    message(FATAL_ERROR "installed: ${installed}\nin the source tree: ${in_tree}")
  endif()
  list(APPEND options -D CMAKE_PREFIX_PATH=${WORK}/prefix)
elseif(KIND STREQUAL "add_subdirectory")
  list(APPEND options -D AXE_SOURCE=${AXE_SOURCE})
elseif(KIND STREQUAL "fetch_content")
  list(APPEND options -D FETCHCONTENT_SOURCE_DIR_AXE=${AXE_SOURCE})
else()
  message(FATAL_ERROR "no consumer is called '${KIND}'")
endif()

run("configure" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${KIND} -B ${WORK}/build ${options})
run("build" ${CMAKE_COMMAND} --build ${WORK}/build)
run("program" ${WORK}/build/consumer)
message(STATUS "${KIND}: configured, built and ran")
