# Kernel examples: one program each, which runs on a GPU or on the PTX machine (tests/machine).
#
#     axe_add_kernel_example(transpose ARCHITECTURES sm_90a DIMENSIONS rows columns SIZES 8x8 64x9)
#
# Sources: main.cu, and every *.cuh of the folder as kernels. The program has machine code and PTX,
# and loads libcudart.so.13: the toolkit's, or the machine's stand-in. Tests: examples.NAME.SIZE,
# and with --all .newest (the newest nvcc), .mutants, and for a third of the examples each day .nvrtc
# and .debug (the first size, with -G). examples.kernels checks the sources of all kernels.
set(AXE_EXAMPLE_SUPPORT ${CMAKE_CURRENT_LIST_DIR}/support)
add_custom_target(kernel_examples)
include(${AXE_EXAMPLE_SUPPORT}/weight_shapes.cmake)

# Programs are linked with the toolkit's runtime library, else with the stand-in.
unset(axe_runtime_library)
if(NOT AXE_NO_CUDA AND AXE_CUDART)
  cmake_path(GET AXE_CUDART PARENT_PATH folder)
  find_file(axe_runtime_library NAMES libcudart.so libcudart.so.13 PATHS ${folder}
    NO_DEFAULT_PATH NO_CACHE)
endif()

#     SOURCE KERNELS  for folders with several programs: another file than main.cu, and its kernels
#     ARCHITECTURES   compiled for each; a note C75xx of ptxas, a spill or local memory fails the
#                     build
#     RUNS            the architecture of the program; default: sm_90a if listed, else the last one
#     SIZES           one ctest entry each: 5 schedules of the first size and 2 of the others; 20
#                     and 3 under `./run test --all`. .debug and .mutants run the first size
#     FULL            larger sizes: one ctest entry each under `./run test --all`, one schedule
#     LIMITS          conditions on the machine's counters at every size (support/counters.cmake):
#                     "transpose: conflicts == 0" "transpose: global.load.bytes == 4*rows*columns"
#     INSTANCES       templates that NVRTC compiles: "transpose.cuh: transpose<float>"
#     REDUNDANT       statements that can be removed without a report, with the reason and without
#                     semicolons (support/mutants.cmake): "bar.sync 0: nothing follows it"
#     DEBUG_SKIPPED   the reason why code of -G cannot run on the machine
#     MUTANTS_SKIPPED the reason why its mutants are not run
#     BENCH           sizes for `./run gpu bench`; weights: those of support/weight_shapes.cmake
function(axe_add_kernel_example name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RUNS;SOURCE;DEBUG_SKIPPED;MUTANTS_SKIPPED"
    "KERNELS;ARCHITECTURES;DIMENSIONS;SIZES;FULL;LIMITS;INSTANCES;REDUNDANT;BENCH")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_ARCHITECTURES OR NOT arg_DIMENSIONS OR NOT arg_SIZES)
    message(FATAL_ERROR
      "axe_add_kernel_example(${name}) needs ARCHITECTURES, DIMENSIONS and SIZES; "
      "unknown arguments: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_RUNS)
    list(GET arg_ARCHITECTURES -1 arg_RUNS)
    if("sm_90a" IN_LIST arg_ARCHITECTURES)
      set(arg_RUNS sm_90a)
    endif()
  endif()
  if(NOT arg_SOURCE)
    set(arg_SOURCE main.cu)
  endif()
  file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cuh)
  if(arg_KERNELS)
    list(TRANSFORM arg_KERNELS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE kernels)
  endif()
  set_property(GLOBAL APPEND PROPERTY AXE_KERNEL_FILES ${kernels})
  set(reason ${AXE_NO_CUDA})
  if(NOT reason AND NOT axe_runtime_library AND NOT BUILD_TESTING)
    set(reason "the toolkit of ${AXE_NVCC} has no libcudart.so.13")
  endif()
  if(reason)
    if(BUILD_TESTING)
      axe_kernel_tests_skipped("${reason}")
    endif()
    return()
  endif()

  set(program ${CMAKE_CURRENT_BINARY_DIR}/bin/${name})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  # nvcc compiles host code without optimisation unless told otherwise. Computing the expected
  # values would then take most of the time of a test.
  set(common -std=c++20 -lineinfo -Werror all-warnings -Xcompiler=-O1,-Wall,-Wextra,-Werror
    -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/examples)
  set(made ${program})
  string(REPLACE sm_ compute_ virtual ${arg_RUNS})
  if(axe_runtime_library)
    cmake_path(GET axe_runtime_library PARENT_PATH folder)
    # -L is for libcudadevrt.
    set(runtime -L${folder} -Xlinker --no-as-needed,${axe_runtime_library},-rpath,${folder})
    set(needs "")
  else()
    set(runtime -Xlinker --no-as-needed,$<TARGET_FILE:machine_cudart>)
    set(needs machine_cudart)
  endif()
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -P ${AXE_EXAMPLE_SUPPORT}/compile.cmake -- ${AXE_NVCC} ${common}
            -gencode arch=${virtual},code=[${arg_RUNS},${virtual}] -cudart none ${runtime}
            -MD -MF ${program}.d ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE} -o ${program}
    DEPENDS ${arg_SOURCE} ${AXE_NVCC} ${AXE_EXAMPLE_SUPPORT}/compile.cmake ${needs}
    DEPFILE ${program}.d
    COMMENT "nvcc ${name}: ${arg_SOURCE} for ${arg_RUNS}" VERBATIM)
  foreach(architecture IN LISTS arg_ARCHITECTURES)
    if(AXE_TEST_ALL AND NOT architecture STREQUAL arg_RUNS)
      set(code ${CMAKE_CURRENT_BINARY_DIR}/${name}.${architecture}.cubin)
      add_custom_command(OUTPUT ${code}
        COMMAND ${CMAKE_COMMAND} -P ${AXE_EXAMPLE_SUPPORT}/compile.cmake -- ${AXE_NVCC} ${common}
        -arch=${architecture} -cubin
                -MD -MF ${code}.d ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE} -o ${code}
        DEPENDS ${arg_SOURCE} ${AXE_NVCC} ${AXE_EXAMPLE_SUPPORT}/compile.cmake DEPFILE ${code}.d
        COMMENT "nvcc ${name}: ${arg_SOURCE} for ${architecture}" VERBATIM)
      list(APPEND made ${code})
    endif()
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${made})
  add_dependencies(kernel_examples ${name})
  set_property(TARGET ${name} PROPERTY AXE_PROGRAM ${program})
  # For `./run gpu`: name|program|architecture|sizes to check|sizes to measure
  string(REPLACE ";" " " sizes "${arg_SIZES}")
  list(TRANSFORM arg_BENCH REPLACE "^weights$" "${AXE_WEIGHT_SHAPES}")
  string(REPLACE ";" " " figures "${arg_BENCH}")
  set_property(GLOBAL
    APPEND_STRING PROPERTY AXE_KERNEL_LIST "${name}|${program}|${arg_RUNS}|${sizes}|${figures}\n")
  if(BUILD_TESTING)
    get_property(list GLOBAL PROPERTY AXE_KERNEL_LIST)
    axe_kernel_tests()
  endif()
endfunction()

macro(axe_kernel_tests_skipped reason_)
  set(AXE_LABEL machine)
  axe_with_all(full "${arg_FULL}" "")
  foreach(size IN LISTS arg_SIZES full)
    axe_add_skipped_test(examples.${name}.${size} "${reason_}")
  endforeach()
  if(AXE_TEST_ALL)
    axe_add_skipped_test(examples.${name}.mutants "${reason_}")
    axe_add_skipped_test(examples.${name}.debug "${reason_}")
    axe_add_skipped_test(examples.${name}.nvrtc "${reason_}")
  endif()
endmacro()

macro(axe_kernel_tests)
  set(AXE_LABEL machine)
  axe_with_all(schedules 20 5)
  axe_with_all(full "${arg_FULL}" "")
  foreach(size IN LISTS arg_SIZES full)
    if(size IN_LIST full)
      set(schedules 1)
    endif()
    axe_add_script_test(examples.${name}.${size} COMMAND ${CMAKE_COMMAND} -D PROGRAM=${program}
      -D LIBRARY=$<TARGET_FILE:machine_cudart>
      -D SIZE=${size} -D SCHEDULES=${schedules} -D "DIMENSIONS=${arg_DIMENSIONS}"
      -D "LIMITS=${arg_LIMITS}" -P ${AXE_EXAMPLE_SUPPORT}/run_on_machine.cmake)
    axe_with_all(schedules 3 2)
  endforeach()
  list(GET arg_SIZES 0 first)
  axe_every_mutant(mutants all 6)
  set(AXE_LABEL slow)
  if(AXE_TEST_ALL AND arg_MUTANTS_SKIPPED)
    axe_add_skipped_test(examples.${name}.mutants "${arg_MUTANTS_SKIPPED}")
  elseif(AXE_TEST_ALL)
    axe_add_script_test(examples.${name}.mutants COMMAND ${CMAKE_COMMAND} -D PROGRAM=${program}
      -D LIBRARY=$<TARGET_FILE:machine_cudart>
      -D SIZE=${first} -D AT_MOST=${mutants} -D "REDUNDANT=${arg_REDUNDANT}"
      -P ${AXE_EXAMPLE_SUPPORT}/mutants.cmake)
    set_tests_properties(examples.${name}.mutants PROPERTIES TIMEOUT 7200)  # for all mutants
  endif()
  set(AXE_LABEL machine)
  string(TIMESTAMP day "%j")
  string(REGEX MATCHALL "\n" earlier "${list}")
  list(LENGTH earlier number)
  math(EXPR turn "(${number} + ${day}) % 3")
  axe_every_mutant(turn 0 ${turn})
  if(NOT AXE_TEST_ALL OR NOT turn EQUAL 0)
    # A third of the examples is built with -G and with NVRTC, another third each day.
  elseif(arg_DEBUG_SKIPPED)
    axe_add_skipped_test(examples.${name}.debug "${arg_DEBUG_SKIPPED}")
  else()
    # -G changes the PTX, which the machine runs, so no machine code is needed. Reads of unwritten
    # bytes are not checked: debug code copies the one byte of an object of an empty class.
    set(debug ${program}.debug)
    add_custom_command(OUTPUT ${debug}
      COMMAND ${AXE_NVCC} -std=c++20 -G -Xcompiler=-O1 -I${PROJECT_SOURCE_DIR}/include
      -I${PROJECT_SOURCE_DIR}/examples -gencode arch=${virtual},code=${virtual}
              -cudart none ${runtime} -MD -MF ${debug}.d ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}
              -o ${debug}
      DEPENDS ${arg_SOURCE} ${AXE_NVCC} ${needs} DEPFILE ${debug}.d
      COMMENT "nvcc ${name}: ${arg_SOURCE} with -G" VERBATIM)
    add_custom_target(${name}_debug ALL DEPENDS ${debug})
    axe_add_script_test(examples.${name}.debug COMMAND ${CMAKE_COMMAND} -E env
      AXE_MACHINE_CHECKS=races ${CMAKE_COMMAND} -D PROGRAM=${debug}
      -D LIBRARY=$<TARGET_FILE:machine_cudart> -D SIZE=${first} -D SCHEDULES=2
      -P ${AXE_EXAMPLE_SUPPORT}/run_on_machine.cmake)
  endif()
  axe_add_newest_test(examples.${name}.newest COMMAND ${CMAKE_COMMAND}
    -P ${AXE_EXAMPLE_SUPPORT}/compile.cmake -- ${AXE_NEWEST_NVCC}
    ${common} -arch=${arg_RUNS} -cubin ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}
    -o ${program}.newest.cubin)
  if(NOT AXE_TEST_ALL OR NOT turn EQUAL 0)
    # NVRTC is a second compiler: tests/nvrtc and tests/views compile all headers with it.
  elseif(NOT AXE_NVRTC OR NOT Python3_FOUND)
    axe_add_skipped_test(examples.${name}.nvrtc "no NVRTC or no Python 3 found")
  else()
    # One header that contains all headers of the kernels, for programs that compile a kernel from a
    # string.
    set(parts)
    set(headers)
    foreach(kernel IN LISTS kernels)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel})
      file(STRINGS ${kernel} includes REGEX "^#include <axe/")
      list(TRANSFORM includes REPLACE "^#include <([^>]*)>.*$" "\\1")
      list(APPEND headers ${includes})
      file(STRINGS ${kernel} entries REGEX "__global__")
      if(NOT entries)
        continue()  # inlined into the files that include it
      endif()
      list(APPEND parts ${kernel})
      cmake_path(GET kernel FILENAME file)
      foreach(instance IN LISTS arg_INSTANCES)
        if(instance MATCHES "^${file}: *(.+)$")
          list(APPEND parts --instance ${CMAKE_MATCH_1})
        endif()
      endforeach()
    endforeach()
    list(REMOVE_DUPLICATES headers)
    file(GLOB_RECURSE all CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp
      ${PROJECT_SOURCE_DIR}/include/*.def)
    set(one ${CMAKE_CURRENT_BINARY_DIR}/${name}.one/axe_one.hpp)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.one)
    add_custom_command(OUTPUT ${one} COMMAND ${Python3_EXECUTABLE} -B
      ${PROJECT_SOURCE_DIR}/tools/single_header.py -o ${one} ${headers}
      DEPENDS ${PROJECT_SOURCE_DIR}/tools/single_header.py ${all}
      COMMENT "one header for ${name}" VERBATIM)
    add_custom_target(${name}_one_header ALL DEPENDS ${one})
    set(AXE_LABEL slow)
    axe_add_script_test(examples.${name}.nvrtc
      COMMAND nvrtc_compile --arch ${arg_RUNS} --default-device
      --single axe_one.hpp
      --include ${CMAKE_CURRENT_BINARY_DIR}/${name}.one --include ${AXE_CUDA_INCLUDE}
      --include ${AXE_CUDA_INCLUDE}/cccl ${parts})
  endif()
endmacro()

# Call it after the last example: checks all kernels, and writes the list for `./run gpu`.
function(axe_finish_kernel_examples)
  get_property(files GLOBAL PROPERTY AXE_KERNEL_FILES)
  list(REMOVE_DUPLICATES files)  # several programs may have the same kernel
  get_property(list GLOBAL PROPERTY AXE_KERNEL_LIST)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/kernels.txt CONTENT "${list}")
  if(BUILD_TESTING)
    axe_add_script_test(examples.kernels COMMAND ${CMAKE_COMMAND} -D "FILES=${files}"
      -P ${AXE_EXAMPLE_SUPPORT}/kernel_rules.cmake)
  endif()
endfunction()
