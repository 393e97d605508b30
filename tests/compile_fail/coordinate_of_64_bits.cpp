// The row number has 64 bits and could be truncated.
// expect: a coordinate is an integer of at most 32 bits, a constant<n>, or parts: for a wider
// expect: integer write below<N>\(x\), or any\(static_cast<unsigned>\(x\)\)
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
using number = unsigned long long;
#else
using number = unsigned short;
#endif
float* element(float* data, matrix const& sizes, number row) {
  return axe::bind_pointer(data, sizes, row, axe::constant<5ull>{}).at<>();
}
