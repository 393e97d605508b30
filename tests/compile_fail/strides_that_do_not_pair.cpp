// S(...) gets two extents and one stride.
// expect: strides_do_not_pair
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto lanes = axe::S({8, 2}, {4 * axe::axis::lane});
#else
constexpr auto lanes = axe::S({8, 2}, {4 * axe::axis::lane, 1 * axe::axis::reg});
#endif
