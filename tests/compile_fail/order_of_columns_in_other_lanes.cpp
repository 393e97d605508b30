// One lane needs elements of another lane, so no order of columns avoids the exchange.
// expect: no_relabelling
#include <axe/construct/literal.hpp>
#include <axe/convert.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto order =
    axe::relabel("S[(2,8):(1@lane,1@reg)]"_axe, "S[(2,8):(-1@lane,1@reg)] + 1@lane"_axe, {2, 8}, 1);
#else
constexpr auto order =
    axe::relabel("S[(2,8):(1@lane,1@reg)]"_axe, "S[(2,8):(1@lane,-1@reg)] + 7@reg"_axe, {2, 8}, 1);
#endif
