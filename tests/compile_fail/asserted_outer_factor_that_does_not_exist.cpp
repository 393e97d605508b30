// tile_outer: the tensor is not a tile of this inner layout.
// expect: no_such_factor
#include <axe/algebra/factor.hpp>
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::tile_outer("S[(4,2):(4,1)]"_axe, {8}, "S[2:3]"_axe, {2})) == 4);
#else
static_assert(axe::size(axe::tile_outer("S[(4,2):(4,1)]"_axe, {8}, "S[2:1]"_axe, {2})) == 4);
#endif
