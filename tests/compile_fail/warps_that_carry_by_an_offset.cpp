// 64 threads from thread 1 on: lane 32 does not exist.
// expect-gcc: to_lane_warp: splitting tid: what falls on lane would reach 1 to 32, and it counts 0
// to less than 32
// expect-clang: to_lane_warp: .*splitting tid
// expect-nvcc: part_carries<1L?, 32L?, 32L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using warps = decltype(axe::to_lane_warp(axe::carrier<"S[32:1@tid] + 1@tid"_axe>{}));
#else
using warps = decltype(axe::to_lane_warp(axe::carrier<"S[32:1@tid] + 32@tid"_axe>{}));
#endif
