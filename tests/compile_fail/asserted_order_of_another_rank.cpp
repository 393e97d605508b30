// permute: the order names two of three dimensions.
// expect: order_is_not_a_permutation
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::permute("S[(2,3,4):(12,4,1)]"_axe, {2, 3, 4}, {1, 0})) == 24);
#else
static_assert(axe::size(axe::permute("S[(2,3,4):(12,4,1)]"_axe, {2, 3, 4}, {1, 0, 2})) == 24);
#endif
