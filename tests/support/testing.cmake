# Functions that add tests; tests/README.md, "Where a test goes", explains them.
#
#     axe_add_test(span span_test.cpp)                   a Catch2 program that uses axe::axe
#     axe_add_script_test(compile_fail.g++ COMMAND ...)  exit code 77 means skipped
#     axe_add_skipped_test(nvrtc.headers "no NVRTC found")
#     set(AXE_LABEL slow)                                the ctest label of the next tests here
#
# `./run test` repeats the last line that a skipped test prints: the reason.

set(AXE_SKIPPED 77)

# The labels are fast (all of them together: 60 s on 2 cores), machine (kernels on the PTX machine,
# and the machine itself), peers (the comparisons with other libraries) and slow (compilers,
# fuzzing, mutants). tests/support/labels.py checks that every test has one.
set(AXE_LABEL fast)
option(AXE_TEST_ALL
  "Also mutants and mistakes, long fuzzing, -G builds and every target (./run test --all)" OFF)

# Sets a variable to the first value with AXE_TEST_ALL and to the second one without:
#
#     axe_with_all(targets "sm_80;sm_90a" "sm_90a")
function(axe_with_all variable with without)
  if(NOT ARGC EQUAL 3)
    message(FATAL_ERROR "axe_with_all(${variable}) takes two values; quote a list")
  endif()
  if(AXE_TEST_ALL)
    set(${variable} ${with} PARENT_SCOPE)
  else()
    set(${variable} ${without} PARENT_SCOPE)
  endif()
endfunction()

# The same for AXE_TEST_EVERY_MUTANT: all mutants take hours.
option(AXE_TEST_EVERY_MUTANT "Every mutant and mistake (./run test --every-mutant)" OFF)
function(axe_every_mutant variable with without)
  if(AXE_TEST_EVERY_MUTANT)
    set(${variable} ${with} PARENT_SCOPE)
  else()
    set(${variable} ${without} PARENT_SCOPE)
  endif()
endfunction()

function(axe_add_skipped_test name reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: "
    LABELS "${AXE_LABEL}")
endfunction()

function(axe_add_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE ${AXE_SKIPPED} TIMEOUT 900
    LABELS "${AXE_LABEL}")
  # The samples of random tests. Sanitizers make them ten times slower.
  axe_with_all(samples 100000 20000)
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
    set(samples 20000)
  endif()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT AXE_TEST_SAMPLES=${samples})
  if("slow" IN_LIST AXE_LABEL)  # long tests start first, so that all cores stay busy
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()

function(axe_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED;LONG" "" "")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  set(has_slow_cases NO)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    file(STRINGS ${source} tagged REGEX "\\[slow\\]" LIMIT_COUNT 1)
    if(tagged)
      set(has_slow_cases YES)
    endif()
  endforeach()
  if(NOT TARGET axe_catch_main)
    axe_add_skipped_test(${name} "Catch2 is not installed")
    return()
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE axe::axe axe_warnings axe_catch_main)
  # At -O0 and -Og a test compiles in half the time or less. With sanitizers, the longer run would
  # cost the time that this saves.
  if(NOT arg_LONG AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
    set(level -O0)
    if(arg_OPTIMISED)
      set(level -Og)
    endif()
    target_compile_options(${name}_test PRIVATE ${level})
    target_precompile_headers(${name}_test REUSE_FROM axe_catch_header${level})
  endif()
  if(has_slow_cases)
    axe_add_script_test(${name} COMMAND ${name}_test "~[slow]")
    axe_add_slow_cases(${name})
  else()
    axe_add_script_test(${name} COMMAND ${name}_test)
  endif()
  if("fast" IN_LIST AXE_LABEL)
    list(TRANSFORM sources REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
    set_property(GLOBAL APPEND PROPERTY AXE_FAST_SOURCES ${sources})
  endif()
endfunction()

function(axe_add_slow_cases name)
  set(AXE_LABEL slow)
  axe_add_script_test(${name}.slow COMMAND ${name}_test "[slow]")
endfunction()

# Compiles Catch2's main once for all tests, and its header once for each optimisation level.
function(axe_add_catch_main)
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    message(STATUS "axe: Catch2 is not installed: unit tests are skipped")
    return()
  endif()
  add_library(axe_catch_main OBJECT ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
  target_compile_options(axe_catch_main PRIVATE -O0)  # it compiles in a quarter of the time
  target_compile_features(axe_catch_main PUBLIC cxx_std_20)
  target_link_libraries(axe_catch_main PUBLIC Catch2::Catch2)
  # Sources include "support/catch.hpp".
  target_include_directories(axe_catch_main PUBLIC ${PROJECT_SOURCE_DIR}/tests)

  # g++ rejects a precompiled header that was compiled with another level.
  foreach(level IN ITEMS -O0 -Og)
    set(header axe_catch_header${level})
    add_library(${header} OBJECT ${PROJECT_SOURCE_DIR}/tests/support/precompiled.cpp)
    target_link_libraries(${header} PRIVATE axe_warnings Catch2::Catch2)
    target_compile_features(${header} PRIVATE cxx_std_20)
    target_compile_options(${header} PRIVATE ${level})
    target_precompile_headers(${header} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/catch.hpp)
  endforeach()
endfunction()

# For a test that uses every core: ctest runs no other test at the same time.
cmake_host_system_information(RESULT AXE_CORES QUERY NUMBER_OF_LOGICAL_CORES)
function(axe_runs_alone name)
  set_tests_properties(${name} PROPERTIES PROCESSORS ${AXE_CORES})
endfunction()

# One test for each compiler of AXE_CHECK_COMPILERS and one for nvcc: COMMAND --compiler NAME. With
# AXE_TEST_ALL also one for each compiler of AXE_MORE_COMPILERS and one for the newest nvcc.
function(axe_add_checks_per_compiler name)
  set(AXE_LABEL slow)
  if(NOT AXE_CHECK_COMPILERS)
    return()
  endif()
  axe_with_all(more "${AXE_MORE_COMPILERS}" "")
  foreach(compiler IN LISTS AXE_CHECK_COMPILERS more)
    cmake_path(GET compiler FILENAME program)
    if(Python3_FOUND)
      axe_add_script_test(${name}.${program} COMMAND ${ARGN} --compiler ${compiler})
      axe_runs_alone(${name}.${program})
    else()
      axe_add_skipped_test(${name}.${program} "Python 3 is not installed")
    endif()
  endforeach()
  if(NOT AXE_NVCC)
    axe_add_skipped_test(${name}.nvcc "${AXE_NO_CUDA}")
  elseif(Python3_FOUND)
    axe_add_script_test(${name}.nvcc COMMAND ${ARGN} --compiler ${AXE_NVCC})
    axe_runs_alone(${name}.nvcc)
    axe_add_newest_test(${name}.nvcc_newest COMMAND ${ARGN}
      --compiler ${AXE_NEWEST_NVCC})
    if(TEST ${name}.nvcc_newest)
      axe_runs_alone(${name}.nvcc_newest)
    endif()
  endif()
endfunction()

# A script that shows that the checks of this name can fail. It uses one compiler, because all run
# the same checks.
function(axe_add_self_test name script)
  set(AXE_LABEL slow)
  if(AXE_CHECK_COMPILERS AND Python3_FOUND)
    list(GET AXE_CHECK_COMPILERS 0 first)
    axe_add_script_test(${name}.self_test COMMAND ${Python3_EXECUTABLE} -B ${script}
      --compiler ${first})
  endif()
endfunction()
