// Outer steps of a swizzled atom must not reach bits that the swizzle reads.
// expect-gcc: direct_sum: the outer step 96@m reaches bits that the swizzle of
// expect-clang: direct_sum: the outer step
// expect-clang: 96@m reaches bits
// expect-nvcc: swizzle_does_not_commute<96L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using tiled =
    decltype(axe::direct_sum(axe::carrier<"S[2:96]"_axe>{}, axe::extents<2>{},
                             axe::carrier<"swizzle(3,3,3) o S[(8,64):(64,1)]"_axe>{}, axe::extents<512>{}));
#else
using tiled =
    decltype(axe::direct_sum(axe::carrier<"S[2:512]"_axe>{}, axe::extents<2>{},
                             axe::carrier<"swizzle(3,3,3) o S[(8,64):(64,1)]"_axe>{}, axe::extents<512>{}));
#endif
