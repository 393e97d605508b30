// Every second column, from 0 to 14, is not an order of eight columns.
// expect: order_leaves_out
#include <axe/construct/literal.hpp>
#include <axe/convert.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto reordered = axe::reorder("S[(2,8):(1@lane,1@reg)]"_axe, {2, 8}, 1, "S[8:2]"_axe);
#else
constexpr auto reordered =
    axe::reorder("S[(2,8):(1@lane,1@reg)]"_axe, {2, 8}, 1, "S[(2,4):(1,2)]"_axe);
#endif
