// An element of a matrix gets one coordinate instead of two.
// expect-gcc: got 1 coordinate, but the tensor has 2 dimensions
// expect-clang: got 1 coordinate, but the.*tensor has 2 dimensions
// expect-nvcc: coordinate_has_other_dimensions.*Facts=<1L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;

float load(axe::tensor<float const, matrix> in, unsigned row, unsigned column) {
#if defined(AXE_EXPECT_FAILURE)
  (void)column;
  return in(row);
#else
  return in(row, column);
#endif
}
