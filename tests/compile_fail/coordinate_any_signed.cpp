// any_signed(row) is an origin of tile_at. A pointer has no coordinate below 0.
// expect: any_signed\(x\) is an origin of tile_at only
#include <axe/axe.hpp>
#include <axe/index.hpp>
#include <axe/index/signed_coordinate.hpp>

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;

#if defined(AXE_EXPECT_FAILURE)
auto row_of(int row) { return axe::any_signed(row); }
#else
auto row_of(int row) { return axe::any(row); }
#endif
float* element(float* data, matrix const& sizes, int row) {
  return axe::bind_pointer(data, sizes, row_of(row), axe::constant<5>{}).at<>();
}
