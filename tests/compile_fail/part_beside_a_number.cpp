// A register beside a part, in front of it: nothing is known of it, which any says.
// expect-gcc: a number beside a part: constant<3>\(\) where the compiler knows it, else any\(x\) or
// below<N>\(x\)
// expect-clang: a number beside a part:
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
