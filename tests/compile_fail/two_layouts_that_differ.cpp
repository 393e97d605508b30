// Two layouts are asserted equivalent, but are not.
// expect-gcc: S\[\(2,2\):\(3,1\)\] and S\[4:1\] are different maps: element 2 is at 3@m in one and
// expect-gcc: at 2@m in the other
// expect-clang: S\[\(2,2\):\(3,1\)\] and S\[4:1\] are.*different maps: element 2 is
// expect-clang: at 3@m in one and at 2@m in
// expect-nvcc: layouts_differ.*Facts=<2L?, 3L?, 2L?, .*axis::m>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::require_equivalent<"S[(2,2):(3,1)]"_axe, "S[4:1]"_axe>());
#else
static_assert(axe::require_equivalent<"S[(2,2):(2,1)]"_axe, "S[4:1]"_axe>());
#endif
