// The number of rows of a tensor is negative.
// expect-gcc: dynamic_layout: dimension 0 has a digit of extent -4, but an extent must be at least 1
// expect-clang: dynamic_layout: dimension 0.*has a digit of extent -4, but
// expect-nvcc: digit_extent_below_one.*Facts=<0L?, -4L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
using rows = axe::dynamic_layout<axe::dimension<axe::digit<-4, axe::dynamic(0)>>>;
#else
using rows = axe::dynamic_layout<axe::dimension<axe::digit<4, axe::dynamic(0)>>>;
#endif
rows const few(7);
