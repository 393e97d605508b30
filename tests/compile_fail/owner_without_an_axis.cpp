// An owner must be a place on an axis: 3*lane, not 3.
// expect: (place.*int|int.*place)
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto held = axe::owned_by("S[(8,4):(4@lane,1@reg)]"_axe, {8, 4}, 3);
#else
constexpr auto held = axe::owned_by("S[(8,4):(4@lane,1@reg)]"_axe, {8, 4}, 4 * axe::axis::lane);
#endif
