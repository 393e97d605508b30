# Configures, builds and runs one consumer project in a new folder.
#
#     cmake -D KIND=find_package -D AXE_SOURCE=. -D AXE_BUILD=build/gcc -D WORK=/tmp/x
#           -D COMPILER=g++ -D GENERATOR=Ninja -P consume.cmake
#
# KIND find_package installs axe first and checks that all headers were installed. KIND pkg_config
# installs axe and compiles without CMake. It also installs axe to absolute folders. KIND conan
# makes the package of packaging/conan.
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
elseif(KIND STREQUAL "pkg_config")
  run("install" ${CMAKE_COMMAND} --install ${AXE_BUILD} --prefix ${WORK}/prefix)
  foreach(folder IN ITEMS INCLUDEDIR DATADIR)
    set(own ${WORK}/${folder})
    run("configure" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/add_subdirectory -B ${own}/build
      ${options}
      -D AXE_SOURCE=${AXE_SOURCE} -D AXE_INSTALL=ON -D CMAKE_INSTALL_PREFIX=${own}/prefix
      -D CMAKE_INSTALL_${folder}=${own}/absolute)
    run("install" ${CMAKE_COMMAND} --install ${own}/build)
    file(GLOB found ${own}/*/pkgconfig ${own}/*/share/pkgconfig)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${found} pkg-config
      --variable=includedir axe
      OUTPUT_VARIABLE headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT EXISTS ${headers}/axe/axe.hpp)
      message(FATAL_ERROR
        "with an absolute ${folder}, axe.pc names the folder ${headers}, which has no axe/axe.hpp")
    endif()
  endforeach()
  set(ask ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK}/prefix/share/pkgconfig pkg-config)
  execute_process(COMMAND ${ask} --cflags axe OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${ask} --modversion axe
    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "([0-9]+)\\.([0-9]+)\\.([0-9]+)" version "${version}")
  separate_arguments(flags)
  run("build" ${COMPILER} -std=c++20 ${flags} -D CMAKE_SAW_MAJOR=${CMAKE_MATCH_1}
    -D CMAKE_SAW_MINOR=${CMAKE_MATCH_2}
    -D CMAKE_SAW_PATCH=${CMAKE_MATCH_3} ${CMAKE_CURRENT_LIST_DIR}/main.cpp -o ${WORK}/consumer)
  run("program" ${WORK}/consumer)
  return()
elseif(KIND STREQUAL "conan")
  set(conan ${CMAKE_COMMAND} -E env CONAN_HOME=${WORK}/cache CXX=${COMPILER}
    --modify PYTHONPATH=path_list_prepend:${CONAN_PATH} ${CONAN})
  run("profile" ${conan} profile detect)
  file(COPY ${AXE_SOURCE}/packaging/conan/test_package
    DESTINATION ${WORK})  # it builds in its folder
  run("package" ${conan} create ${AXE_SOURCE}/packaging/conan --test-folder ${WORK}/test_package
    -s compiler.cppstd=20 --no-remote)
  return()
elseif(KIND MATCHES "^(add_subdirectory|fetch_content)$")
  list(APPEND options -D AXE_SOURCE=${AXE_SOURCE})
else()
  message(FATAL_ERROR "no consumer is called '${KIND}'")
endif()

run("configure" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${KIND} -B ${WORK}/build ${options})
run("build" ${CMAKE_COMMAND} --build ${WORK}/build)
run("program" ${WORK}/build/consumer)
message(STATUS "${KIND}: configured, built and ran")
