// A mesh is made of two numbers, without names of its axes.
// expect-gcc: an axis is \{x, 4\}, in its own braces
// expect-clang: an axis is \{x, 4\}, in its own braces
// expect-nvcc: deleted function
#include <axe/distributed.hpp>

constexpr axe::axis x = axe::device_axis("x");
constexpr axe::axis y = axe::device_axis("y");

int main() {
#ifdef AXE_EXPECT_FAILURE
  axe::mesh const nodes{2, 4};
#else
  axe::mesh const nodes{{y, 2}, {x, 4}};
#endif
  return static_cast<int>(nodes.devices()) - 8;
}
