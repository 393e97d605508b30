// A literal has more extents than strides.
// expect-gcc: position 10: got 3 extents, but 2 strides
// expect-clang: position.*10: got 3 extents, but 2.*strides
// expect-nvcc: strides_do_not_match_extents.*Facts=<10L?, 3L?, 2L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "S[(8,4,2):(4,1)]"_axe;
#else
constexpr auto tile = "S[(8,4):(4,1)]"_axe;
#endif
