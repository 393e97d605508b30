// Lanes are 32; a layout that counts 64 of them is no part of tid.
// expect-gcc: to_tid: S\[64:1@lane\] reaches 0 to 63 on lane, and inside tid it counts 0 to less
// than 32
// expect-clang: to_tid: S\[64:1@lane\] reaches
// expect-clang: 0 to 63 on lane
// expect-nvcc: part_leaves_its_range<0L?, 63L?, 32L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using joined = decltype(axe::to_tid(axe::carrier<"S[64:1@lane]"_axe>{}));
#else
using joined = decltype(axe::to_tid(axe::carrier<"S[(2,32):(1@warp,1@lane)]"_axe>{}));
#endif
