// A window of 96 columns in a dimension of 64.
// expect-gcc: window: dimension 1: the window has 96 entries, but the shape \(128,64\) has 64
// expect-clang: window: dimension 1: the.*window has 96 entries, but
// expect-nvcc: window_is_larger.*Facts=<1L?, 96L?, 64L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using rows = axe::window_of<axe::carrier<"S[(128,64):(64,1)]"_axe>, axe::extents<128, 64>,
                            axe::extents<16, 96>>;
using part = rows::type;
#else
using rows = axe::window_of<axe::carrier<"S[(128,64):(64,1)]"_axe>, axe::extents<128, 64>,
                            axe::extents<16, 32>>;
using part = rows::type;
#endif
