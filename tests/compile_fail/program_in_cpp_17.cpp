// A program in C++17 gets one sentence.
// expect: axe needs C\+\+20: compile with -std=c\+\+20
#if defined(AXE_EXPECT_FAILURE)
#undef __cplusplus
#define __cplusplus 201703L
#endif
#include <axe/axe.hpp>
