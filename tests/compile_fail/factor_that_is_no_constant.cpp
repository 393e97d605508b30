// A plain number as a factor. It must be a constant.
// expect-gcc: the factor of a part must be a constant in front of it, as constant<3>\(\) \* part
// expect-clang: the factor of a part must be.*a constant in front of it, as
// expect-nvcc: factor_of_a_part
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::pitched<axe::given(0), axe::given(1), 1>;

#if defined(AXE_EXPECT_FAILURE)
#define FOUR 4
#else
#define FOUR axe::constant<4>()
#endif
float* element(float* data, matrix const& sizes, unsigned thread) {
  auto const row = FOUR * axe::on<axe::axis::tid, 256>(thread);
  return axe::fix_pointer(data, sizes, row, 0u).at<>();
}
