// places: the coordinate is past the end.
// expect: coordinate_outside
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::places("S[(8,16):(16,1)]"_axe, {8, 16}, {8, 0}).first()[axe::axis::m] == 112);
#else
static_assert(axe::places("S[(8,16):(16,1)]"_axe, {8, 16}, {7, 0}).first()[axe::axis::m] == 112);
#endif
