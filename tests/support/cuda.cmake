# The CUDA compiler and NVRTC, without enable_language: a machine that has neither still configures.
#
#     -DAXE_CUDA=auto       use a toolkit where there is one (default); required: stop without one; none: do without
#     -DAXE_CUDA_ROOT=DIR   where to look first: a toolkit, or site-packages/nvidia/cu13 of the Python wheels
#     -DAXE_CUDA_TOOLS=DIR  where to look for cuobjdump and nvdisasm when the toolkit lacks them
#
# Sets AXE_NVCC, AXE_CUDA_VERSION, AXE_CUDA_INCLUDE, AXE_CUDART, AXE_NVRTC, AXE_CUOBJDUMP and AXE_NVDISASM, each
# false when absent, and AXE_NO_CUDA: the reason to print where there is no compiler.
#
#     axe_add_cuda_program(name a.cu b.cu)   compiles each with nvcc for sm_90a, links with the static runtime

set(AXE_CUDA auto CACHE STRING "CUDA sources: auto, required or none")
set_property(CACHE AXE_CUDA PROPERTY STRINGS auto required none)
set(AXE_CUDA_ROOT "" CACHE PATH "CUDA toolkit to use (empty: PATH, then /usr/local/cuda)")
set(AXE_CUDA_TOOLS "" CACHE PATH "Folder with bin/cuobjdump and bin/nvdisasm")
set(AXE_CUDA_MINIMUM 13.0)

# Searched for anew at each configure: AXE_CUDA_ROOT may have changed since the last.
foreach(variable IN ITEMS AXE_NVCC AXE_CUDA_VERSION AXE_CUDA_INCLUDE AXE_CUDART AXE_NVRTC AXE_NVRTC_INCLUDE
    AXE_CUOBJDUMP AXE_NVDISASM AXE_NO_CUDA)
  unset(${variable})
  unset(${variable} CACHE)
endforeach()

function(axe_find_cuda)
  set(AXE_NO_CUDA "" PARENT_SCOPE)
  if(AXE_CUDA STREQUAL "none")
    set(AXE_NO_CUDA "CUDA is switched off (AXE_CUDA=none)" PARENT_SCOPE)
    return()
  endif()
  if(AXE_CUDA_ROOT)
    find_program(AXE_NVCC nvcc PATHS ${AXE_CUDA_ROOT}/bin NO_DEFAULT_PATH NO_CACHE)
  else()
    find_program(AXE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin NO_CACHE)
  endif()
  if(NOT AXE_NVCC)
    set(AXE_NO_CUDA "no nvcc found" PARENT_SCOPE)
    return()
  endif()

  # nvcc may be a wrapper script in another folder: what it says of itself decides.
  execute_process(COMMAND ${AXE_NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
  string(REGEX REPLACE ".*V([0-9]+\\.[0-9]+\\.[0-9]+).*" "\\1" version "${said}")
  execute_process(COMMAND ${AXE_NVCC} --dryrun -c nothing.cu OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT said MATCHES "#\\$ TOP=([^\n]+)")
    set(AXE_NO_CUDA "${AXE_NVCC} does not run" PARENT_SCOPE)
    return()
  endif()
  file(REAL_PATH "${CMAKE_MATCH_1}" top)
  if(version VERSION_LESS AXE_CUDA_MINIMUM)
    set(AXE_NO_CUDA "${AXE_NVCC} is ${version}, older than ${AXE_CUDA_MINIMUM}" PARENT_SCOPE)
    return()
  endif()

  file(GLOB lib_dirs ${top}/lib64 ${top}/lib ${top}/targets/*/lib)
  file(GLOB include_dirs ${top}/include ${top}/targets/*/include)
  find_library(AXE_CUDART libcudart_static.a PATHS ${lib_dirs} NO_DEFAULT_PATH NO_CACHE)
  # Wheels have no unversioned name for the linker.
  find_library(AXE_NVRTC NAMES nvrtc libnvrtc.so.13 PATHS ${lib_dirs} NO_DEFAULT_PATH NO_CACHE)
  find_path(AXE_CUDA_INCLUDE cuda_runtime.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  find_path(AXE_NVRTC_INCLUDE nvrtc.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  foreach(tool IN ITEMS cuobjdump nvdisasm)
    string(TOUPPER AXE_${tool} found)
    find_program(${found} ${tool} HINTS ${top}/bin ${AXE_CUDA_TOOLS}/bin NO_CACHE)
    set(${found} ${${found}} PARENT_SCOPE)
  endforeach()
  foreach(variable IN ITEMS AXE_NVCC AXE_CUDA_INCLUDE AXE_CUDART AXE_NVRTC AXE_NVRTC_INCLUDE)
    set(${variable} ${${variable}} PARENT_SCOPE)
  endforeach()
  set(AXE_CUDA_VERSION ${version} PARENT_SCOPE)
endfunction()

axe_find_cuda()
if(AXE_NO_CUDA)
  set(AXE_NVCC "")
  if(AXE_CUDA STREQUAL "required")
    message(FATAL_ERROR "axe: ${AXE_NO_CUDA}, and AXE_CUDA=required; ./run test --cuda=wheels installs one")
  endif()
  message(STATUS "axe: ${AXE_NO_CUDA}: what needs nvcc is skipped")
else()
  message(STATUS "axe: nvcc ${AXE_CUDA_VERSION} (${AXE_NVCC})")
endif()

# One object per source, then a link: header dependencies are tracked as for any C++ source.
function(axe_add_cuda_program name)
  set(objects)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source STEM stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${AXE_NVCC} -std=c++20 -arch=sm_90a -Werror all-warnings -Xcompiler=-Wall,-Wextra,-Werror
              -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/tests -MD -MF ${object}.d -c ${source} -o ${object}
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
