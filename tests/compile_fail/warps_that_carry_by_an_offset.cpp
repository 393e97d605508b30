// 32 lanes have an offset of 1, but lane 32 does not exist.
// expect-gcc: to_lane_warp: cannot split tid: the part on lane would have places 1 to 32, but they
// expect-gcc: must be at least 0 and less than 32
// expect-clang: to_lane_warp: cannot split.*tid: the part on lane would
// expect-clang: have places 1 to 32, but they.*must be at least 0 and less
// expect-nvcc: part_carries.*Facts=<1L?, 32L?, 32L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using warps = decltype(axe::to_lane_warp(axe::carrier<"S[32:1@tid] + 1@tid"_axe>{}));
#else
using warps = decltype(axe::to_lane_warp(axe::carrier<"S[32:1@tid] + 32@tid"_axe>{}));
#endif
