// 36 elements in rows of 9 and in rows of 4: the boundaries cross.
// expect: no_common_refinement
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto blocks = axe::group_many("S[36:1]"_axe, {axe::shape{4, 9}, axe::shape{9, 4}});
#else
constexpr auto blocks = axe::group_many("S[36:1]"_axe, {axe::shape{4, 9}, axe::shape{12, 3}});
#endif
