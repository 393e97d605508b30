// The inner layout of a composition is on two axes. It must be on one.
// expect: inner_on_several_axes
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto both = axe::compose("S[64:1]"_axe, "S[(8,4):(4,1@lane)]"_axe);
#else
constexpr auto both = axe::compose("S[64:1]"_axe, "S[(8,4):(4,1)]"_axe);
#endif
