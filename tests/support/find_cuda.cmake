# Finds the CUDA compiler, NVRTC and the tools. `./run` uses it as a script:
#
#     cmake -D AXE_CUDA_ROOT= -D AXE_CUDA_TOOLS= -P find_cuda.cmake       prints "nvcc: PATH" ...
#
# Searches AXE_CUDA_ROOT (a toolkit, or nvidia/cu13 of the Python wheels) if it is set, otherwise
# CUDA_HOME, CUDA_PATH, PATH and /usr/local/cuda; AXE_CUDA_TOOLS for cuobjdump and nvdisasm if the
# toolkit lacks them. Results that are not found are empty.

set(AXE_CUDA_MINIMUM 13.0)

# Sets AXE_NVCC, AXE_CUDA_VERSION, AXE_CUDA_INCLUDE, AXE_CUDART, AXE_NVRTC, AXE_CUOBJDUMP,
# AXE_NVDISASM, and AXE_NO_CUDA: the reason if there is no compiler. Nothing is cached, because
# AXE_CUDA_ROOT may change.
function(axe_find_cuda)
  foreach(result IN ITEMS NVCC CUDA_VERSION CUDA_INCLUDE CUDART NVRTC CUOBJDUMP NVDISASM NO_CUDA)
    set(AXE_${result} "" PARENT_SCOPE)
  endforeach()
  if(AXE_CUDA_ROOT)
    find_program(nvcc nvcc PATHS ${AXE_CUDA_ROOT}/bin NO_DEFAULT_PATH NO_CACHE)
  else()
    find_program(nvcc nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
      NO_CACHE)
  endif()
  if(NOT nvcc)
    set(AXE_NO_CUDA "no nvcc found" PARENT_SCOPE)
    return()
  endif()

  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE rc)
  string(REGEX REPLACE ".*V([0-9]+\\.[0-9]+\\.[0-9]+).*" "\\1" version "${said}")
  # nvcc may be a wrapper script in another folder; --dryrun prints the toolkit's folder.
  execute_process(COMMAND ${nvcc} --dryrun -c nothing.cu OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT rc EQUAL 0 OR NOT said MATCHES "#\\$ TOP=([^\n]+)")
    set(AXE_NO_CUDA "${nvcc} does not run" PARENT_SCOPE)
    return()
  endif()
  file(REAL_PATH "${CMAKE_MATCH_1}" top)
  if(version VERSION_LESS AXE_CUDA_MINIMUM)
    set(AXE_NO_CUDA "${nvcc} is ${version}, older than ${AXE_CUDA_MINIMUM}" PARENT_SCOPE)
    return()
  endif()
  set(AXE_NVCC ${nvcc} PARENT_SCOPE)
  set(AXE_CUDA_VERSION ${version} PARENT_SCOPE)

  file(GLOB libraries ${top}/lib64 ${top}/lib ${top}/targets/*/lib)
  file(GLOB headers ${top}/include ${top}/targets/*/include)
  find_file(cudart libcudart_static.a PATHS ${libraries} NO_DEFAULT_PATH NO_CACHE)
  # The wheels have no libnvrtc.so without a version.
  find_file(nvrtc NAMES libnvrtc.so libnvrtc.so.13 PATHS ${libraries} NO_DEFAULT_PATH NO_CACHE)
  find_path(runtime_header cuda_runtime.h PATHS ${headers} NO_DEFAULT_PATH NO_CACHE)
  find_path(nvrtc_header nvrtc.h PATHS ${runtime_header} NO_DEFAULT_PATH NO_CACHE)
  find_program(cuobjdump cuobjdump HINTS ${top}/bin ${AXE_CUDA_TOOLS}/bin NO_CACHE)
  find_program(nvdisasm nvdisasm HINTS ${top}/bin ${AXE_CUDA_TOOLS}/bin NO_CACHE)
  if(runtime_header)
    set(AXE_CUDA_INCLUDE ${runtime_header} PARENT_SCOPE)
  endif()
  if(cudart)
    set(AXE_CUDART ${cudart} PARENT_SCOPE)
  endif()
  if(nvrtc AND nvrtc_header)
    set(AXE_NVRTC ${nvrtc} PARENT_SCOPE)
  endif()
  foreach(tool IN ITEMS cuobjdump nvdisasm)
    if(${tool})
      string(TOUPPER AXE_${tool} result)
      set(${result} ${${tool}} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
  axe_find_cuda()
  set(lacks ${AXE_NO_CUDA})
  if(NOT lacks)
    foreach(part IN ITEMS CUDA_INCLUDE CUDART NVRTC)
      if(NOT AXE_${part})
        string(TOLOWER ${part} word)
        list(APPEND lacks ${word})
      endif()
    endforeach()
  endif()
  message("nvcc: ${AXE_NVCC}\nversion: ${AXE_CUDA_VERSION}\nheaders: ${AXE_CUDA_INCLUDE}\n"
    "nvrtc: ${AXE_NVRTC}\ncuobjdump: ${AXE_CUOBJDUMP}\nnvdisasm: ${AXE_NVDISASM}\nlacks: ${lacks}")
endif()
