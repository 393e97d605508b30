# Fails unless two kernels of one PTX file have the same number of instructions of each kind.
# FIRST and SECOND are parts of the names of their entries.
#
#     cmake -D PTX=kernels.ptx -D FIRST=together -D SECOND=through_registers -P same.cmake
#
# mul.wide.u32 and cvt.u64.u32 are one kind: nvcc multiplies an address before or after widening it.
# ld.param.u32 and ld.param.v2.u32 are one kind: nvcc loads one size, or two that are adjacent.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${PTX} lines)
foreach(which FIRST SECOND)
  set(inside NO)
  set(${which}_kinds)
  foreach(line IN LISTS lines)
    if(line MATCHES "^\\.visible \\.entry ([A-Za-z0-9_]+)")
      string(FIND "${CMAKE_MATCH_1}" "${${which}}" at)
      if(at GREATER_EQUAL 0)
        set(inside YES)
      endif()
    elseif(line MATCHES "^}")
      set(inside NO)
    elseif(inside AND line MATCHES "^[ \t]*(@!?%p[0-9]+ )?([a-z][a-z0-9._:]+)[ \t].*;")
      string(REGEX REPLACE "^(mul.wide|cvt.u64).u32$" "widen" kind "${CMAKE_MATCH_2}")
      string(REGEX REPLACE "^ld.param.v2.u32$" "ld.param.u32" kind "${kind}")
      list(APPEND ${which}_kinds "${kind}")
    endif()
  endforeach()
  list(LENGTH ${which}_kinds count)
  if(count LESS 20)
    message(FATAL_ERROR "${PTX}: expected at least 20 instructions in an entry with ${${which}} in its name, found ${count}")
  endif()
  list(SORT ${which}_kinds)
endforeach()
if(NOT FIRST_kinds STREQUAL SECOND_kinds)
  list(JOIN FIRST_kinds "\n" FIRST_kinds)
  list(JOIN SECOND_kinds "\n" SECOND_kinds)
  message(FATAL_ERROR "the two kernels differ:\n${FIRST_kinds}\n\n${SECOND_kinds}")
endif()
message(STATUS "both kernels have ${count} instructions of the same kinds")
