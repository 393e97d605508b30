// One coordinate in a view of rows and columns.
// expect-gcc: 1 coordinate in a tensor of 2 dimensions: one for each
// expect-clang: 1 coordinate in a tensor of 2
// expect-nvcc: coordinate_has_other_dimensions<1L?, 2L?>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;

float load(axe::global_view<float const, matrix> in, unsigned row, unsigned column) {
#if defined(AXE_EXPECT_FAILURE)
  (void)column;
  return in(row);
#else
  return in(row, column);
#endif
}
