// An offset is written before the layout instead of after it.
// expect: write the layout first, and a number on an axis, as in l \+ 5
#include <axe/axe.hpp>

using namespace axe::literals;

#ifdef AXE_EXPECT_FAILURE
constexpr auto moved = 5 + "S[8:16]"_axe;
#else
constexpr auto moved = "S[8:16]"_axe + 5;
#endif

int main() { return static_cast<int>(axe::min(moved, axe::axis::m)) - 5; }
