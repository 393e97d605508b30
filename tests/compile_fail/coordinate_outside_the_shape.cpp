// A coordinate is past the end. It is rejected, not wrapped.
// expect: coordinate_outside
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto where = axe::places("S[4:1]"_axe, {4}, {7});
#else
constexpr auto where = axe::places("S[4:1]"_axe, {4}, {3});
#endif
