// inverse rejects a tile with padding, which holds no element.
// expect: hole_in_the_box
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto elements = axe::inverse("S[(4,7):(8,1)]"_axe, {axe::axis::m});
#else
constexpr auto elements = axe::inverse("S[(4,8):(8,1)]"_axe, {axe::axis::m});
#endif
