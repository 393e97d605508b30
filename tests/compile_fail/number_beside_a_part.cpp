// Three rows further on, as a number of which nothing says that it is a constant.
// expect-gcc: a number beside a part: constant<3>\(\) where the compiler knows it, else any\(x\) or
// below<N>\(x\)
// expect-clang: a number beside a part:
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
