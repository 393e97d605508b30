// to_lane_warp: with an offset of 16, lanes carry into the next warp.
// expect: part_carries
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::to_lane_warp("S[32:1@tid] + 16@tid"_axe)) == 32);
#else
static_assert(axe::size(axe::to_lane_warp("S[32:1@tid] + 32@tid"_axe)) == 32);
#endif
