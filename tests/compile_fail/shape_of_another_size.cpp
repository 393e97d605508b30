// The shape has more elements than the layout.
// expect-gcc: group: the shape \(3,8\) has 24 elements, but the layout S\[16:1\] has 16
// expect-clang: group: the shape \(3,8\) has 24.*elements, but the layout
// expect-nvcc: shape_does_not_fit.*Facts=<24L?, 16L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using grouped = decltype(axe::group(axe::carrier<"S[16:1]"_axe>{}, axe::extents<3, 8>{}));
#else
using grouped = decltype(axe::group(axe::carrier<"S[16:1]"_axe>{}, axe::extents<2, 8>{}));
#endif
