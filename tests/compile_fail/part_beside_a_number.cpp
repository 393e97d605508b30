// A plain number before a part. Without a bound it must be written any(rows).
// expect-gcc: a plain number cannot be added to a part of a coordinate; write constant<3>\(\) if it
// expect-gcc: is constant
// expect-clang: a plain number cannot be.*added to a part of a.*coordinate; write
// expect-clang: constant<3>\(\) if it is
// expect-nvcc: number_beside_a_part
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::pitched<axe::given(0), axe::given(1), 1>;

float* element(float* data, matrix const& sizes, unsigned thread, unsigned rows) {
#if defined(AXE_EXPECT_FAILURE)
  auto const row = rows + axe::on<axe::axis::tid, 256>(thread);
#else
  auto const row = axe::any(rows) + axe::on<axe::axis::tid, 256>(thread);
#endif
  return axe::fix_pointer(data, sizes, row, 0u).at<>();
}
