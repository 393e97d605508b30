// size: the layout lacks a stride.
// expect: strides_do_not_pair
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::S({8, 4}, {4})) == 32);
#else
static_assert(axe::size(axe::S({8, 4}, {4, 1})) == 32);
#endif
