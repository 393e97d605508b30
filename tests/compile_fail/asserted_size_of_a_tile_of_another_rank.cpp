// tile: the two shapes have different ranks. The message names the rule, not just "not constant".
// expect: shapes_have_other_ranks
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::tile("S[(2,3):(3,1)]"_axe, {2, 3}, "S[8:1]"_axe, {8})) == 48);
#else
static_assert(axe::size(axe::tile("S[(2,3):(3,1)]"_axe, {2, 3}, "S[8:1]"_axe, {1, 8})) == 48);
#endif
