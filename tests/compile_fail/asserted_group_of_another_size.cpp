// group: the shape has another size than the layout.
// expect: shape_does_not_fit
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
static_assert(axe::equivalent(axe::group("S[24:1]"_axe, {3, 6}), "S[24:1]"_axe));
#else
static_assert(axe::equivalent(axe::group("S[24:1]"_axe, {3, 8}), "S[24:1]"_axe));
#endif
