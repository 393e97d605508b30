// A literal has a misspelled axis.
// expect-gcc: position 18: there is no axis lne; did you mean lane
// expect-clang: position 18: there is no axis.*lne; did you mean lane
// expect-nvcc: misspelt_axis.*Facts=<18L?,.*axis_called<'l', 'n', 'e'>.*axis::lane
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "S[(8,4):(4@lane,1@lne)]"_axe;
#else
constexpr auto tile = "S[(8,4):(4@lane,1@lane)]"_axe;
#endif
