# What every target of this tree is compiled with, and which compilers the text-only checks run on.
#
#     target_link_libraries(span_test PRIVATE axe::axe axe_warnings)
#
# AXE_CHECK_COMPILERS is the list that headers, compile-fail cases and include cost walk.
# One that is not found becomes a skipped test, never a missing one.

add_library(axe_warnings INTERFACE)
target_compile_options(axe_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping copies inside std::string where there are none (GCC bug 105651).
  target_compile_options(axe_warnings INTERFACE -Wno-restrict)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(AXE_CCACHE ccache)
  if(AXE_CCACHE)
    # Without this ccache does not cache sources that use a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${AXE_CCACHE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(axe_warnings INTERFACE -fpch-preprocess)
    endif()
  endif()
endif()

set(AXE_CHECK_COMPILERS "g++;clang++-19" CACHE STRING
  "Compilers that check headers and messages beside nvcc (empty: none, nvcc neither)")
find_package(Python3 COMPONENTS Interpreter)

# Headers that lean on another library or on host-only standard headers: promised to host compilers alone.
set(AXE_NOT_CORE "^axe/(bridge|host)/")
