// An axis without a number is added to a layout as its offset.
// expect: a number on an axis, as in l \+ 5 \* lane
#include <axe/axe.hpp>

using namespace axe::axes;
using namespace axe::literals;

#ifdef AXE_EXPECT_FAILURE
constexpr auto moved = "S[8:1@lane]"_axe + lane;
#else
constexpr auto moved = "S[8:1@lane]"_axe + 1 * lane;
#endif

int main() { return static_cast<int>(axe::min(moved, lane)) - 1; }
