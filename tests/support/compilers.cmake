# The warnings of every target, and the compilers that check headers and messages.
#
#     target_link_libraries(span_test PRIVATE axe::axe axe_warnings)
#
# Headers and compile-fail cases are checked with each of AXE_CHECK_COMPILERS, and with AXE_TEST_ALL
# each of AXE_MORE_COMPILERS. The tests of a compiler that is not installed are skipped.

add_library(axe_warnings INTERFACE)
target_compile_options(axe_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns of overlapping copies inside std::string (GCC bug 105651).
  target_compile_options(axe_warnings INTERFACE -Wno-restrict)
endif()

set(AXE_CHECK_COMPILERS "g++" CACHE STRING
  "Compilers that check headers and messages, besides nvcc (empty: no checks, also not with nvcc)")
# `./run test --all` unpacks the newest g++ into build/gcc-16.
find_program(AXE_NEWEST_GCC g++-16 HINTS ${PROJECT_SOURCE_DIR}/build/gcc-16 NO_CACHE)
if(NOT AXE_NEWEST_GCC)
  set(AXE_NEWEST_GCC g++-16)
endif()
set(AXE_MORE_COMPILERS "${AXE_NEWEST_GCC};clang++-16;clang++-19;clang++-22" CACHE STRING
  "Compilers that also check headers and messages with AXE_TEST_ALL")
find_package(Python3 COMPONENTS Interpreter)

# Headers that need another library or host-only standard headers. Only host compilers check them.
set(AXE_NOT_CORE "^axe/(bridge|draw|mpi)[/.]")
