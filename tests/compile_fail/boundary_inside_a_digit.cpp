// A boundary of the shape lies inside a digit of the layout.
// expect-gcc: group: S\[\(2,3\):\(100,1\)\] does not group by \(3,2\): dimension 1 \(extent 2\)
// expect-gcc: needs a factor of 2 from the digit
// expect-clang: group: S\[\(2,3\):\(100,1\)\] does.*not group by \(3,2\): dimension
// expect-clang: 1 \(extent 2\) needs a factor
// expect-nvcc: does_not_group.*Facts=<1L?, 2L?, 3L?, 1L?, 2L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using grouped = decltype(axe::group(axe::carrier<"S[(2,3):(100,1)]"_axe>{}, axe::extents<3, 2>{}));
#else
using grouped = decltype(axe::group(axe::carrier<"S[(2,3):(100,1)]"_axe>{}, axe::extents<2, 3>{}));
#endif
