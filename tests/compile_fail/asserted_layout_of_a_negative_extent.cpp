// canonicalize: the layout has a negative extent.
// expect: extent_below_one
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::canonicalize(axe::S({-8, 4}, {4, 1})) == axe::S({32}, {1}));
#else
static_assert(axe::canonicalize(axe::S({8, 4}, {4, 1})) == axe::S({32}, {1}));
#endif
