// For every value of the parts, the constant reaches past the last row.
// expect-gcc: bind_address: the constants of dimension 0 add up to 64, but the dimension has 64 elements
// expect-clang: bind_address: the constants.*of dimension 0 add up to 64
// expect-nvcc: constants_leave_a_dimension.*Facts=<0L?, 64L?, 64L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using tile = axe::carrier<"S[(64,8):(8,1)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::integer further = 60;
#else
constexpr axe::integer further = 59;
#endif
unsigned address(unsigned lane) {
  return axe::bind_address<tile, axe::extents<64, 8>, 4>(axe::below<8>(lane) + axe::constant<4>{},
                                                         axe::constant<0>{})
      .at<further, 7>();
}
