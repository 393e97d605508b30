// A plain number, 3, is added to a row. It must be a constant.
// expect-gcc: a plain number cannot be added to a part of a coordinate; write constant<3>\(\) if it
// expect-gcc: is constant
// expect-clang: a plain number cannot be.*added to a part of a.*coordinate; write
// expect-clang: constant<3>\(\) if it is
// expect-nvcc: number_beside_a_part
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::pitched<axe::given(0), axe::given(1), 1>;

#if defined(AXE_EXPECT_FAILURE)
#define ROWS 3
#else
#define ROWS axe::constant<3>()
#endif
float* element(float* data, matrix const& sizes, unsigned thread) {
  auto const row = axe::on<axe::axis::tid, 256>(thread) + ROWS;
  return axe::fix_pointer(data, sizes, row, 0u).at<>();
}
