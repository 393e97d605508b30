// A range that crosses a row in the middle.
// expect-gcc: slice: the result is no layout: from element 3 to 4 it steps by 1@m, from 4 to 5 by 3@m
// expect-clang: slice: the result is no
// expect-clang: from element 3 to 4
// expect-clang: by 3@m
// expect-nvcc: no_layout_steps<3L?, 4L?, 1L?, 4L?, 5L?, 3L?
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<20>{},
                                 axe::static_region<axe::range{3, 12}>{}));
#else
using part = decltype(axe::slice(axe::carrier<"S[(4,5):(7,1)]"_axe>{}, axe::extents<20>{},
                                 axe::static_region<axe::range{5, 15}>{}));
#endif
