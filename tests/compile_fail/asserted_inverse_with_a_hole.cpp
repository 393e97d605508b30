// inverse: the padding of a padded matrix has no element.
// expect: hole_in_the_box
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::inverse("S[(8,8):(16,1)]"_axe, {axe::axis::m})) == 64);
#else
static_assert(axe::size(axe::inverse("S[(8,8):(8,1)]"_axe, {axe::axis::m})) == 64);
#endif
