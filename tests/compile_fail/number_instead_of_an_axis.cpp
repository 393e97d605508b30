// The axis argument of span is a number.
// expect: (axis.*int|int.*axis)
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto n = axe::span("S[8:1@lane]"_axe, 0);
#else
constexpr auto n = axe::span("S[8:1@lane]"_axe, axe::axis::lane);
#endif
