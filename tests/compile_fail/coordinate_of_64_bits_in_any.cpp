// The row number in any() has 64 bits. It needs below() with the number of rows as the bound.
// expect: for a wider integer write below<N>\(x\), or any\(static_cast<unsigned>\(x\)\)
#include <axe/axe.hpp>
#include <axe/index.hpp>
#include <cstddef>

using matrix = axe::dynamic_matrix<axe::dynamic(0).at_most(4096), axe::dynamic(1), axe::dynamic(2)>;

float* element(float* data, matrix const& sizes, std::size_t row) {
#if defined(AXE_EXPECT_FAILURE)
  auto const y = axe::any(row);
#else
  auto const y = axe::below<4096>(row);
#endif
  return axe::bind_pointer(data, sizes, y, true).at<>();
}
