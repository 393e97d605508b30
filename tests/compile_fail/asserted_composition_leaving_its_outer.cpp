// compose in a static_assert: the inner layout reads past the end of the outer one.
// expect: inner_leaves_the_outer
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::cosize(axe::compose("S[(8,8):(16,1)]"_axe, "S[100:1]"_axe)) == 120);
#else
static_assert(axe::cosize(axe::compose("S[(8,8):(16,1)]"_axe, "S[64:1]"_axe)) == 120);
#endif
