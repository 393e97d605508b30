// A layout of eight elements has no element 8.
// expect: index_outside
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto where = axe::places("S[8:1]"_axe, 8);
#else
constexpr auto where = axe::places("S[8:1]"_axe, 7);
#endif
