// Two fragments are added like numbers. axe's operator of numbers must not make the program's own
// comparison of a fragment ambiguous, as it once did with clang.
// expect: a fragment is not a number: axe::elementwise\(op, to, x, y\) computes with its elements
#include <axe/construct/literal.hpp>
#include <axe/cuda/fragment.hpp>

using namespace axe::literals;

using lanes = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
using held = axe::fragment<float, lanes, axe::extents<32, 4>>;

template <class T, class L, class S>
constexpr bool operator<(axe::fragment<T, L, S> const& x, T limit) {
  return x[0] < limit;
}

int main() {
  held x{};
  if (x < 1.0f) x[0] = 1;
#if defined(AXE_EXPECT_FAILURE)
  x += x;
#endif
}
