// A literal whose swizzle has an axis other than m.
// expect-gcc: a swizzle acts on addresses on m, and the layout also names lane
// expect-clang: a swizzle acts on addresses on m
// expect-nvcc: swizzle_acts_on_memory_only
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "swizzle(3,3,3) o S[8:1@lane]"_axe;
#else
constexpr auto tile = "swizzle(3,3,3) o S[8:1]"_axe;
#endif
