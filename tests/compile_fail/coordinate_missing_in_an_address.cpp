// An address in a matrix gets a row, but no column.
// expect: one coordinate for each dimension
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using tile = axe::carrier<"S[(8,8):(8,1)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
unsigned address(unsigned row) {
  return axe::bind_address<tile, axe::extents<8, 8>, 4>(row).at<>();
}
#else
unsigned address(unsigned row) {
  return axe::bind_address<tile, axe::extents<8, 8>, 4>(row, 0).at<>();
}
#endif
