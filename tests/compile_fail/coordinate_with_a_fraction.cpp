// A row number is a double.
// expect: a coordinate is an integer of at most 32 bits, a constant<n>, or parts
#include <axe/axe.hpp>
#include <axe/index.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
constexpr double half = 0.5 * 9;
#else
constexpr int half = 9 / 2;
#endif
float* element(float* data, matrix const& sizes) {
  return axe::bind_pointer(data, sizes, half, 0u).at<>();
}
