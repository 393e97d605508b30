// A literal has an extent of 0.
// expect-gcc: position 3: the extent is 0, but it must be at least 1
// expect-clang: position 3:.*the extent is 0, but it must
// expect-nvcc: extent_too_small.*Facts=<3L?, 0L?>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tile = "S[(0,2):(1,1)]"_axe;
#else
constexpr auto tile = "S[(1,2):(1,1)]"_axe;
#endif
