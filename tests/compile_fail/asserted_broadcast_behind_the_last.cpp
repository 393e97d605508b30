// broadcast: the position of the new dimension exceeds the rank by more than one.
// expect: position_outside
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::broadcast("S[(4,5):(5,1)]"_axe, {4, 5}, 3, 3)) == 60);
#else
static_assert(axe::size(axe::broadcast("S[(4,5):(5,1)]"_axe, {4, 5}, 2, 3)) == 60);
#endif
