# CUDA sources without enable_language: without nvcc the project still configures and skips tests.
#
#     -DAXE_CUDA=auto         use a toolkit if there is one; required: fail without one; none
#     -DAXE_CUDA_ROOT=DIR     the only toolkit to use; empty: see find_cuda.cmake
#     -DAXE_CUDA_TOOLS=DIR    cuobjdump and nvdisasm, if the toolkit lacks them
#     -DAXE_CUDA_WHEELS=DIR   unpacked Python wheels, for the test that compiles and links with them
#     -DAXE_CUDA_NEWEST_ROOT=DIR   the newest tested toolkit, for additional tests with AXE_TEST_ALL
# Sets the variables of find_cuda.cmake. Without a compiler, AXE_NO_CUDA is the reason to print.
include(${CMAKE_CURRENT_LIST_DIR}/find_cuda.cmake)

set(AXE_CUDA auto CACHE STRING "CUDA sources: auto, required or none")
set_property(CACHE AXE_CUDA PROPERTY STRINGS auto required none)
set(AXE_CUDA_ROOT "" CACHE PATH "CUDA toolkit to use (empty: PATH, then /usr/local/cuda)")
set(AXE_CUDA_TOOLS "" CACHE PATH "Folder with bin/cuobjdump and bin/nvdisasm")
set(AXE_CUDA_WHEELS "" CACHE PATH "Folder nvidia/cu13 of the unpacked wheels")
set(AXE_CUDA_NEWEST_ROOT ""
  CACHE PATH "Folder nvidia/cu13 of the unpacked wheels of the newest toolkit that is tested")

axe_find_cuda()
if(AXE_CUDA STREQUAL "none")
  set(AXE_NVCC "")
  set(AXE_NO_CUDA "CUDA is switched off")
endif()
if(NOT AXE_NO_CUDA)
  message(STATUS "axe: nvcc ${AXE_CUDA_VERSION} (${AXE_NVCC})")
elseif(AXE_CUDA STREQUAL "required")
  message(FATAL_ERROR
    "axe: ${AXE_NO_CUDA}, and AXE_CUDA=required; ./run test --cuda=wheels installs one")
else()
  message(STATUS "axe: ${AXE_NO_CUDA}: tests that need nvcc are skipped")
endif()

# The newest toolkit: AXE_NEWEST_NVCC and so on, or AXE_NO_NEWEST_CUDA with the reason.
function(axe_find_newest_cuda)
  set(AXE_CUDA_ROOT ${AXE_CUDA_NEWEST_ROOT})
  set(AXE_CUDA_TOOLS "")
  if(AXE_CUDA STREQUAL "none")
    set(AXE_NO_CUDA "CUDA is switched off")
  elseif(NOT AXE_CUDA_ROOT)
    set(AXE_NO_CUDA "the newest CUDA toolkit is not unpacked: ./run test --all does that")
  else()
    axe_find_cuda()
    if(NOT AXE_NO_CUDA)
      message(STATUS "axe: newest nvcc ${AXE_CUDA_VERSION} (${AXE_NVCC})")
    endif()
    foreach(part IN ITEMS NVCC CUDA_INCLUDE NVRTC CUOBJDUMP)
      set(AXE_NEWEST_${part} "${AXE_${part}}" PARENT_SCOPE)
    endforeach()
  endif()
  set(AXE_NO_NEWEST_CUDA "${AXE_NO_CUDA}" PARENT_SCOPE)
endfunction()
axe_find_newest_cuda()

# A test with the newest toolkit, skipped without AXE_CUDA_NEWEST_ROOT:
#
#     axe_add_newest_test(headers.nvcc_newest COMMAND ... ${AXE_NEWEST_NVCC})
#
# The oldest toolkit runs the same checks, also without --all.
function(axe_add_newest_test name)
  if(NOT AXE_TEST_ALL)
    return()
  endif()
  set(AXE_LABEL slow)
  if(AXE_NO_NEWEST_CUDA)
    axe_add_skipped_test(${name} "${AXE_NO_NEWEST_CUDA}")
  else()
    axe_add_script_test(${name} ${ARGN})
  endif()
endfunction()

# A program for sm_90a, linked with the static runtime:
#
#     axe_add_cuda_program(transpose transpose.cu main.cu FLAGS -Xptxas -v)
function(axe_add_cuda_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FLAGS")
  set(objects)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source STEM stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${AXE_NVCC} -std=c++20 -arch=sm_90a -Werror all-warnings
      -Xcompiler=-Wall,-Wextra,-Werror
              -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/tests ${arg_FLAGS}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${AXE_NVCC} DEPFILE ${object}.d COMMENT "nvcc ${name}: ${stem}.cu" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  cmake_path(GET AXE_CUDART PARENT_PATH runtime_dir)
  # In a separate folder, because Ninja uses the target's name as a path.
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/bin/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${AXE_NVCC} -arch=sm_90a -cudart static -L${runtime_dir} ${objects} -o ${program}
    DEPENDS ${objects} ${AXE_CUDART} COMMENT "nvcc ${name}: link" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${program})
  set_property(TARGET ${name} PROPERTY AXE_PROGRAM ${program})
endfunction()

# A Catch2 program that runs kernels on the PTX machine:
#
#     axe_add_machine_test(views KERNELS kernels.cu sizes.cu TARGETS sm_80 sm_90a_debug
#       DEFINE AXE_VIEWS_PTX SOURCES kernels_test.cpp)
#
# The macro DEFINE is the folder with STEM_TARGET.ptx for each kernel and target. _debug compiles
# with -G. FLAGS are for nvcc. NO_NEWEST: another test compiles the kernels with the newest nvcc.
function(axe_add_machine_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_NEWEST" "DEFINE" "KERNELS;TARGETS;SOURCES;FLAGS")
  set(AXE_LABEL machine)
  if(AXE_NO_CUDA)
    axe_add_skipped_test(${name} "${AXE_NO_CUDA}")
    return()
  endif()
  if("sm_90a" IN_LIST arg_TARGETS)
    set(target sm_90a)
  else()
    list(GET arg_TARGETS 0 target)
  endif()
  list(TRANSFORM arg_KERNELS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE kernels)
  if(NOT arg_NO_NEWEST)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/newest)
    axe_add_newest_test(${name}.newest COMMAND ${AXE_NEWEST_NVCC} -std=c++20 -arch=${target}
      -Werror all-warnings
      -I${PROJECT_SOURCE_DIR}/include ${arg_FLAGS} -ptx ${kernels}
      -odir ${CMAKE_CURRENT_BINARY_DIR}/newest)
  endif()
  # ./run test --all: other targets, and code of -G.
  if(NOT AXE_TEST_ALL AND "sm_90a" IN_LIST arg_TARGETS)
    set(arg_TARGETS sm_90a)
  endif()
  set(texts)
  foreach(build IN LISTS arg_TARGETS)
    string(REPLACE "_debug" "" target ${build})
    set(flags ${arg_FLAGS})
    if(build MATCHES "_debug$")
      list(REMOVE_ITEM flags -lineinfo)
      list(APPEND flags -G)
    endif()
    foreach(kernels IN LISTS arg_KERNELS)
      cmake_path(GET kernels STEM stem)
      set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${stem}_${build}.ptx)
      add_custom_command(OUTPUT ${ptx}
        COMMAND ${AXE_NVCC} -std=c++20 -arch=${target} -Werror all-warnings
        -I${PROJECT_SOURCE_DIR}/include ${flags}
                -MD -MF ${ptx}.d -ptx ${CMAKE_CURRENT_SOURCE_DIR}/${kernels} -o ${ptx}
        DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${kernels} ${AXE_NVCC} DEPFILE ${ptx}.d
        COMMENT "nvcc ${name}: ${kernels} for ${build}" VERBATIM)
      list(APPEND texts ${ptx})
    endforeach()
  endforeach()
  axe_add_test(${name} OPTIMISED ${arg_SOURCES})
  if(TARGET ${name}_test)
    target_sources(${name}_test PRIVATE ${texts})
    target_link_libraries(${name}_test PRIVATE axe_machine)
    list(JOIN arg_TARGETS "\",\"" targets)
    target_compile_definitions(${name}_test PRIVATE ${arg_DEFINE}="${CMAKE_CURRENT_BINARY_DIR}"
      "AXE_MACHINE_TARGETS=\"${targets}\"")
  endif()
endfunction()
