// A literal has a swizzle and an axis other than m.
// expect-gcc: a swizzled layout must lie on m only, but swizzle.* also names lane
// expect-clang: must lie on m only,
// expect-nvcc: swizzle_acts_on_memory_only
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "swizzle(3,3,3) o S[8:1@lane]"_axe;
#else
constexpr auto tile = "swizzle(3,3,3) o S[8:1]"_axe;
#endif
