// A value is declared below 0, which would mean any value.
// expect: below<N> takes an N of 1 or more: no value is below 0
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using row = axe::carrier<"S[64:1]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::integer bound = 0;
#else
constexpr axe::integer bound = 1;
#endif
unsigned address(unsigned x) {
  return axe::bind_address<row, axe::extents<64>, 4>(axe::below<bound>(x)).at<0>();
}
