// is_injective: the layout has an extent of 0.
// expect: extent_below_one
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::is_injective(axe::S({8, 0}, {4, 1})));
#else
static_assert(axe::is_injective(axe::S({8, 4}, {4, 1})));
#endif
