// The steps 3 and 1 set the same bit of the address, so their sum is not their XOR.
// expect-gcc: linear: the steps 1 and 3 of S\[\(2,2\):\(3,1\)\] on m carry: from 0 they go to 1 and
// expect-gcc: to 3, and both together go to 4
// expect-clang: linear: the steps 1 and 3 of.*S\[\(2,2\):\(3,1\)\] on m carry:
// expect-clang: from 0 they go to 1 and to 3,
// expect-nvcc: linear_carry.*Facts=<1L?, 3L?, 0L?, 1L?, 3L?, 4L?, .*axis::m>
#include <axe/linear.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::linear_map rows =
    axe::linear(axe::carrier<"S[(2,2):(3,1)]"_axe>{}, axe::extents<2, 2>{});
#else
constexpr axe::linear_map rows =
    axe::linear(axe::carrier<"S[(2,2):(2,1)]"_axe>{}, axe::extents<2, 2>{});
#endif
