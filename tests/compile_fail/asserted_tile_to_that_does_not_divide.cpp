// tile_to: the extents of the tile do not divide the shape.
// expect: extent_does_not_divide
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::cosize(axe::tile_to("S[(8,8):(8,1)]"_axe, {8, 8}, {16, 20})) == 384);
#else
static_assert(axe::cosize(axe::tile_to("S[(8,8):(8,1)]"_axe, {8, 8}, {16, 24})) == 384);
#endif
