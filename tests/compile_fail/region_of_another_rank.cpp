// The region has one range, but the shape has two dimensions.
// expect: region_has_another_rank
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto rows = axe::slice("S[(8,16):(16,1)]"_axe, {8, 16}, {{0, 4}});
#else
constexpr auto rows = axe::slice("S[(8,16):(16,1)]"_axe, {8, 16}, {{0, 4}, {0, 16}});
#endif
