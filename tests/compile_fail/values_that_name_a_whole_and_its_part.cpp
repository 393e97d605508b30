// A layout names the axis `tid` and its part `lane`. It can be neither split nor joined.
// expect: names_whole_and_part
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto warps = axe::to_lane_warp("S[32:1@lane] + 1@tid"_axe);
#else
constexpr auto warps = axe::to_lane_warp("S[32:1@tid] + 32@tid"_axe);
#endif
