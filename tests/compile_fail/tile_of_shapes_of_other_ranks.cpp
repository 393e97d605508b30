// A tile's outer shape is a vector and its inner shape a matrix. Dimensions alternate, so both
// ranks must be equal.
// expect: shapes_have_other_ranks
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto tiled = axe::tile("S[4:1]"_axe, {4}, "S[(8,8):(8,1)]"_axe, {8, 8});
#else
constexpr auto tiled = axe::tile("S[4:1]"_axe, {4, 1}, "S[(8,8):(8,1)]"_axe, {8, 8});
#endif
