# CUDA sources without enable_language: a machine that has no nvcc still configures, and says what it skips.
#
#     -DAXE_CUDA=auto         use a toolkit where there is one (default); required: stop without one; none: do without
#     -DAXE_CUDA_ROOT=DIR     the toolkit to use and no other; empty: see find_cuda.cmake
#     -DAXE_CUDA_TOOLS=DIR    where cuobjdump and nvdisasm are when the toolkit lacks them
#     -DAXE_CUDA_WHEELS=DIR   the unpacked Python wheels, for the test that compiles and links with them
#
#     axe_add_cuda_program(transpose transpose.cu main.cu)   nvcc for sm_90a, linked with the static runtime
#     axe_add_cuda_program(spills spills.cu FLAGS -Xptxas -v)
#
# Afterwards the variables of find_cuda.cmake are set; where there is no compiler, AXE_NO_CUDA is the reason to print.
include(${CMAKE_CURRENT_LIST_DIR}/find_cuda.cmake)

set(AXE_CUDA auto CACHE STRING "CUDA sources: auto, required or none")
set_property(CACHE AXE_CUDA PROPERTY STRINGS auto required none)
set(AXE_CUDA_ROOT "" CACHE PATH "CUDA toolkit to use (empty: PATH, then /usr/local/cuda)")
set(AXE_CUDA_TOOLS "" CACHE PATH "Folder with bin/cuobjdump and bin/nvdisasm")
set(AXE_CUDA_WHEELS "" CACHE PATH "Folder nvidia/cu13 of the unpacked wheels")

axe_find_cuda()
if(AXE_CUDA STREQUAL "none")
  set(AXE_NVCC "")
  set(AXE_NO_CUDA "CUDA is switched off")
endif()
if(NOT AXE_NO_CUDA)
  message(STATUS "axe: nvcc ${AXE_CUDA_VERSION} (${AXE_NVCC})")
elseif(AXE_CUDA STREQUAL "required")
  message(FATAL_ERROR "axe: ${AXE_NO_CUDA}, and AXE_CUDA=required; ./run test --cuda=wheels installs one")
else()
  message(STATUS "axe: ${AXE_NO_CUDA}: what needs nvcc is skipped")
endif()

# One object per source, then a link; header dependencies are tracked as for any C++ source.
function(axe_add_cuda_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FLAGS")
  set(objects)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source STEM stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${AXE_NVCC} -std=c++20 -arch=sm_90a -Werror all-warnings -Xcompiler=-Wall,-Wextra,-Werror
              -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/tests ${arg_FLAGS}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${AXE_NVCC} DEPFILE ${object}.d COMMENT "nvcc ${name}: ${stem}.cu" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  cmake_path(GET AXE_CUDART PARENT_PATH runtime_dir)
  # In a folder of its own: Ninja gives the target's name to a path beside it.
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/bin/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${AXE_NVCC} -arch=sm_90a -cudart static -L${runtime_dir} ${objects} -o ${program}
    DEPENDS ${objects} ${AXE_CUDART} COMMENT "nvcc ${name}: link" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${program})
  set_property(TARGET ${name} PROPERTY AXE_PROGRAM ${program})
endfunction()
