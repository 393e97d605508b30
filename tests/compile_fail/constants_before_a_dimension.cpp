// For every value of the parts, the constant leads to a row below 0.
// expect-gcc: bind_address: the constants of dimension 0 add up to -8, but the dimension has 64 elements
// expect-clang: bind_address: the constants.*of dimension 0 add up to -8
// expect-nvcc: constants_leave_a_dimension.*Facts=<0L?, -8L?, 64L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using tile = axe::carrier<"S[(64,8):(8,1)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::integer back = -12;
#else
constexpr axe::integer back = -11;
#endif
unsigned address(unsigned lane) {
  return axe::bind_address<tile, axe::extents<64, 8>, 4>(axe::below<8>(lane) + axe::constant<4>{},
                                                         axe::constant<0>{})
      .at<back, 7>();
}
