// The region has single braces. It is a list of ranges, so each range needs its own braces.
// expect-gcc: a range needs its own braces
// expect-clang: a range needs its own braces
// expect-nvcc: deleted function
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto rows = axe::slice("S[(8,16):(16,1)]"_axe, {8, 16}, {0, 4});
#else
constexpr auto rows = axe::slice("S[(8,16):(16,1)]"_axe, {8, 16}, {{0, 4}, {0, 16}});
#endif
