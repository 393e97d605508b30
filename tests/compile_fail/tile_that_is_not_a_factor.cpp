// A row-major matrix is not a tiling by compact 8x8 blocks.
// expect-gcc: tile_outer: the step 8@m of S\[\(16,24\):\(24,1\)\] is not a multiple of 64, the span
// expect-gcc: of S\[\(8,8\):\(8,1\)\] on m
// expect-clang: tile_outer: the step 8@m of.*S\[\(16,24\):\(24,1\)\] is not a
// expect-clang: multiple of 64, the span of
// expect-nvcc: stride_is_not_a_multiple.*Facts=<8L?, 64L?, .*axis::m>
#include <axe/algebra/factor.hpp>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using outer =
    decltype(axe::tile_outer(axe::carrier<"S[(16,24):(24,1)]"_axe>{}, axe::extents<16, 24>{},
                             axe::carrier<"S[(8,8):(8,1)]"_axe>{}, axe::extents<8, 8>{}));
#else
using outer = decltype(axe::tile_outer(axe::carrier<"S[(2,8,3,8):(192,8,64,1)]"_axe>{},
                                       axe::extents<16, 24>{}, axe::carrier<"S[(8,8):(8,1)]"_axe>{},
                                       axe::extents<8, 8>{}));
#endif
