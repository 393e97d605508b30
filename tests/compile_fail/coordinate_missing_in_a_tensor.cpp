// An address in a matrix with dynamic sizes gets a row, but no column.
// expect-gcc: got 1 coordinate, but the tensor has 2 dimensions
// expect-clang: got 1 coordinate, but the.*tensor has 2 dimensions
// expect-nvcc: coordinate_has_other_dimensions.*Facts=<1L?, 2L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

float* element(float* data, matrix const& sizes, unsigned row) {
#if defined(AXE_EXPECT_FAILURE)
  return axe::bind_pointer(data, sizes, row).at<>();
#else
  return axe::bind_pointer(data, sizes, row, 0u).at<>();
#endif
}
