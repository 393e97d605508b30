// A string without _axe is passed in place of a layout.
// expect: (layout.*char|char.*layout|argument types are: \(const char \[7\]\))
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto n = axe::size("S[8:1]");
#else
constexpr auto n = axe::size("S[8:1]"_axe);
#endif
