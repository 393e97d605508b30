// The coordinate has more entries than the shape.
// expect: coordinate_has_another_rank
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto where = axe::places("S[(8,16):(16,1)]"_axe, {8, 16}, {2, 9, 0});
#else
constexpr auto where = axe::places("S[(8,16):(16,1)]"_axe, {8, 16}, {2, 9});
#endif
