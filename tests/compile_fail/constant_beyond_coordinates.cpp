// The constant of a column does not fit in a 32-bit coordinate.
// expect-gcc: bind_pointer: the constants of dimension 1 add up to 5000000000, but a coordinate must
// expect-gcc: be at least 0 and below 2\^32
// expect-clang: bind_pointer: the constants.*of dimension 1 add up to.*5000000000, but a coordinate
// expect-clang: must be at least 0 and below
// expect-nvcc: constants_leave_coordinates.*Facts=<1L?, 5000000000L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
using column = axe::constant<5'000'000'000>;
#else
using column = axe::constant<4'000'000'000>;
#endif
float* element(float* data, matrix const& sizes) {
  return axe::bind_pointer(data, sizes, axe::constant<9>{}, column{}).at<>();
}
