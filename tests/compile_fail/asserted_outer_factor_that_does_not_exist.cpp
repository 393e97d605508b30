// The size of an outer factor, for a tensor that the tile does not divide.
// expect: no_such_factor
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::tile_outer("S[(4,2):(4,1)]"_axe, {8}, "S[2:3]"_axe, {2})) == 4);
#else
static_assert(axe::size(axe::tile_outer("S[(4,2):(4,1)]"_axe, {8}, "S[2:1]"_axe, {2})) == 4);
#endif
