// A stride of S is an axis without a number.
// expect: S takes extents and strides in braces, and a stride is a number on an axis
#include <axe/axe.hpp>

using namespace axe::axes;

#ifdef AXE_EXPECT_FAILURE
constexpr auto rows = axe::S({8}, {lane});
#else
constexpr auto rows = axe::S({8}, {1 * lane});
#endif
constexpr auto empty = axe::S({}, {});

int main() { return static_cast<int>(axe::size(rows) + axe::size(empty)) - 9; }
