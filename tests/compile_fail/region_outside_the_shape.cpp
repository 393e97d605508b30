// A slice ends past the tensor.
// expect-gcc: slice: dimension 1 of the region, 1:6, is outside the shape \(4,5\) \(0:5\)
// expect-clang: slice: dimension 1 of the.*region, 1:6, is outside the
// expect-nvcc: region_outside.*Facts=<1L?, 1L?, 6L?, 5L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<4, 5>{},
                                 axe::static_region<axe::range{0, 4}, axe::range{1, 6}>{}));
#else
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<4, 5>{},
                                 axe::static_region<axe::range{0, 4}, axe::range{1, 5}>{}));
#endif
