// The extents and strides of S stand without braces.
// expect: S takes extents and strides in braces, and a stride is a number on an axis
#include <axe/axe.hpp>

using namespace axe::axes;

#ifdef AXE_EXPECT_FAILURE
constexpr auto rows = axe::S(8, 4 * lane);
#else
constexpr auto rows = axe::S({8}, {4 * lane});
#endif

int main() { return static_cast<int>(axe::size(rows)) - 8; }
