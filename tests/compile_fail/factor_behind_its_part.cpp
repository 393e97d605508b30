// A constant factor that stands after its part.
// expect-gcc: the factor of a part must be a constant in front of it, as constant<3>\(\) \* part
// expect-clang: the factor of a part must be.*a constant in front of it, as
// expect-nvcc: factor_of_a_part
#include <axe/axe.hpp>
#include <axe/index.hpp>

using axe::constant;
using matrix = axe::pitched<axe::given(0), axe::given(1), 1>;

float* element(float* data, matrix const& sizes, unsigned thread) {
  auto const part = axe::on<axe::axis::tid, 256>(thread);
#if defined(AXE_EXPECT_FAILURE)
  auto const row = part * constant<4>();
#else
  auto const row = constant<4>() * part;
#endif
  return axe::fix_pointer(data, sizes, row, 0u).at<>();
}
