// direct_sum: one operand is a matrix, the other a row.
// expect: shapes_have_other_ranks
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::size(axe::direct_sum("S[(2,2):(32,4)]"_axe, {2, 2}, "S[4:1]"_axe, {4})) == 16);
#else
static_assert(axe::size(axe::direct_sum("S[(2,2):(32,4)]"_axe, {2, 2}, "S[4:1]"_axe, {1, 4})) ==
              16);
#endif
