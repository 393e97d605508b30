// 2^62 times a part with factor 4 overflows; 2^61 - 1 times this part just fits.
// expect-gcc: 4611686018427387904 times a step or constant of 4 is more than 2\^63 - 1
// expect-clang: 4611686018427387904 times a
// expect-nvcc: multiple_overflows.*Facts=<4611686018427387904L?, 4L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using axe::constant;

#if defined(AXE_EXPECT_FAILURE)
using times = constant<(1ll << 62)>;
#else
using times = constant<(1ll << 61) - 1>;
#endif
auto row(unsigned thread) {
  return times() * (constant<4>() * axe::on<axe::axis::tid, 256>(thread));
}
