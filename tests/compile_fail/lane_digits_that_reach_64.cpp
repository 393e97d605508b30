// A layout on 64 lanes is converted to tid, but a warp has 32 lanes.
// expect-gcc: to_tid: S\[64:1@lane\] has places 0 to 63 on lane, but inside tid they must be at
// expect-gcc: least 0 and less than 32
// expect-clang: to_tid: S\[64:1@lane\] has.*places 0 to 63 on lane, but.*inside tid they must be at
// expect-nvcc: part_leaves_its_range.*Facts=<0L?, 63L?, 32L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using joined = decltype(axe::to_tid(axe::carrier<"S[64:1@lane]"_axe>{}));
#else
using joined = decltype(axe::to_tid(axe::carrier<"S[(2,32):(1@warp,1@lane)]"_axe>{}));
#endif
