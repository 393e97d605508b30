// The extent of the tile does not divide that of the tensor.
// expect-gcc: tile_to: dimension 1: the extent 20 is not a multiple of 8
// expect-clang: tile_to: dimension 1: the
// expect-clang: extent 20 is not a multiple
// expect-nvcc: extent_does_not_divide.*Facts=<1L?, 8L?, 20L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using tiled = decltype(axe::tile_to(axe::carrier<"S[(8,8):(8,1)]"_axe>{}, axe::extents<8, 8>{},
                                    axe::extents<16, 20>{}));
#else
using tiled = decltype(axe::tile_to(axe::carrier<"S[(8,8):(8,1)]"_axe>{}, axe::extents<8, 8>{},
                                    axe::extents<16, 24>{}));
#endif
