// cosize of a layout with negative places. A buffer starts at 0.
// expect: least_place_is_negative
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto bytes = axe::cosize("S[8:-1]"_axe);
#else
constexpr auto bytes = axe::cosize("S[8:-1] + 7"_axe);
#endif
