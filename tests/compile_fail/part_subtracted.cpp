// A part is subtracted. The row above is a constant of the address instead.
// expect-gcc: parts of a coordinate cannot be subtracted; add a negative constant with at<-1>\(\)
// expect-clang: parts of a coordinate cannot.*be subtracted; add a negative
// expect-nvcc: part_subtracted
#include <axe/axe.hpp>
#include <axe/index.hpp>

using axe::constant;
using matrix = axe::pitched<axe::given(0), axe::given(1), axe::given(2)>;

float* above(float* data, matrix const& sizes, unsigned thread) {
  auto const row = axe::on<axe::axis::tid, 256>(thread);
#if defined(AXE_EXPECT_FAILURE)
  return axe::fix_pointer(data, sizes, row - constant<1>(), 0u).at<>();
#else
  return axe::fix_pointer(data, sizes, row, 0u).at<-1, 0>();
#endif
}
