// The range begins and ends inside rows, so the slice is not a layout.
// expect-gcc: slice: the result is not a layout: elements 3 \(at 3@m\) and 4 \(at 4@m\) of
// expect-gcc: S\[\(4,5\):\(7,1\)\] differ by 1@m, but
// expect-clang: slice: the result is not a.*layout: elements 3 \(at 3@m\).*and 4 \(at 4@m\) of
// expect-clang: S\[\(4,5\):\(7,1\)\] differ by 1@m,
// expect-nvcc: no_layout_steps_there.*Facts=<3L?, 4L?, 1L?, 4L?, 5L?, 3L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<20>{},
                                 axe::static_region<axe::range{3, 12}>{}));
#else
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<20>{},
                                 axe::static_region<axe::range{5, 15}>{}));
#endif
