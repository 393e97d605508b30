// An axis is compared with a number. An axis is only a name.
// expect: an axis is not a number: kernels call axe::lane_id\(\)
#include <axe/axe.hpp>

using namespace axe::axes;

#ifdef AXE_EXPECT_FAILURE
constexpr bool first = lane == 0;
#else
constexpr bool first = lane == axe::axis::lane;
#endif

int main() { return first ? 0 : 1; }
