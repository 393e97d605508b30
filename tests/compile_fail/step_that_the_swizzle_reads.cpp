// The outer steps of a swizzled tile change bits that the swizzle reads.
// expect-gcc: direct_sum: element 1 of S\[2:96\] with element 0 of swizzle\(M=3,B=3,S=3\) o
// expect-gcc: S\[\(8,64\):\(64,1\)\] should be at 96@m, but the swizzle moves it to 104@m
// expect-clang: direct_sum: element 1 of.*S\[2:96\] with element 0 of.*swizzle\(M=3,B=3,S=3\) o
// expect-clang: S\[\(8,64\):\(64,1\)\] should be at.*96@m, but the swizzle moves
// expect-nvcc: swizzle_does_not_commute.*Facts=<1L?, 0L?, 96L?, 96L?, 104L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using tiled = decltype(axe::direct_sum(axe::carrier<"S[2:96]"_axe>{}, axe::extents<2>{},
                                       axe::carrier<"swizzle(3,3,3) o S[(8,64):(64,1)]"_axe>{},
                                       axe::extents<512>{}));
#else
using tiled = decltype(axe::direct_sum(axe::carrier<"S[2:512]"_axe>{}, axe::extents<2>{},
                                       axe::carrier<"swizzle(3,3,3) o S[(8,64):(64,1)]"_axe>{},
                                       axe::extents<512>{}));
#endif
