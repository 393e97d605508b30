// An order of eight columns must name each of the columns 0 to 7. This one names 0, 2, …, 14.
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
