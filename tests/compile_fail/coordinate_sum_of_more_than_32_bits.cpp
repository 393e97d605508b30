// The parts carry across the digits of a dimension of 2^40 elements. So they must be added, but a
// sum has 32 bits.
// expect-gcc: bind_address: the parts of dimension 0 carry across its digits and are added in 32 bits, but
// expect-gcc: the dimension has 1099511627776 elements
// expect-clang: bind_address: the parts of.*dimension 0 carry across its.*digits and
// expect-clang: are added in 32.*bits, but the dimension has.*1099511627776 elements
// expect-nvcc: coordinate_sum_has_32_bits.*Facts=<0L?, 1099511627776L?>
#include <axe/axe.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using far = axe::carrier<"S[(1048576,1048576):(2097152,1)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::integer step = 96;
#else
constexpr axe::integer step = 128;
#endif
unsigned long long address(unsigned block, unsigned thread) {
  return axe::bind_address<far, axe::extents<1099511627776>, 1>(
             axe::constant<step>{} * axe::any(block) + axe::below<96>(thread))
      .at<>();
}
