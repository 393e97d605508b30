// A constant coordinate is the largest unsigned number, which could become -1.
// expect: a coordinate must be from 0 to 2\^63 - 1
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
using column = axe::constant<~0ull>;
#else
using column = axe::constant<5ull>;
#endif
float* element(float* data, matrix const& sizes) {
  return axe::bind_pointer(data, sizes, axe::constant<short{2}>{}, column{}).at<>();
}
