// An owner is the number 3 instead of a place on an axis, such as 3*lane.
// expect: (place.*int|int.*place)
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto held = axe::owned_by("S[(8,4):(4@lane,1@reg)]"_axe, {8, 4}, 3);
#else
constexpr auto held = axe::owned_by("S[(8,4):(4@lane,1@reg)]"_axe, {8, 4}, 4 * axe::axis::lane);
#endif
