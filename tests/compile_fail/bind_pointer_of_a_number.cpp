// bind_pointer gets a number in place of the pointer.
// expect: bind_pointer takes a pointer, the sizes of its tensor, and coordinates
#include <axe/index.hpp>

using matrix = axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(1)>>,
                                   axe::dimension<axe::digit<axe::dynamic(2), 1>>>;

float element(float const* data, matrix const& sizes, int row) {
#if defined(AXE_EXPECT_FAILURE)
  (void)data;
  return *axe::bind_pointer(5, sizes, row, row).at<>();
#else
  return *axe::bind_pointer(data, sizes, row, row).at<>();
#endif
}
