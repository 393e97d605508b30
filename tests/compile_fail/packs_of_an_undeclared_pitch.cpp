// 4-bit elements are packed in words of eight, but rows may begin inside a word.
// expect-gcc: packs: packs of 8 elements need dynamic\(2\), a stride, to be a multiple of 8, but it
// expect-gcc: is declared as a multiple of 4
// expect-clang: packs: packs of 8 elements.*need dynamic\(2\), a stride, to
// expect-clang: be a multiple of 8, but it is
// expect-nvcc: pack_needs_a_multiple.*Facts=<8L?, 2L?, 8L?, 4L?>
#include <axe/axe.hpp>
#include <axe/cuda/sub_byte.hpp>

#if defined(AXE_EXPECT_FAILURE)
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1).multiple_of(8),
                                   axe::dynamic(2).multiple_of(4)>;
#else
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1).multiple_of(8),
                                   axe::dynamic(2).multiple_of(8)>;
#endif
unsigned first(axe::sub_byte_tensor<4, unsigned const, matrix> in) { return in.packs()(0u, 0u); }
