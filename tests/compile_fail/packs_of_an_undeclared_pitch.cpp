// Packs of eight 4-bit elements, but rows may begin inside a pack.
// expect-gcc: packs: packs of 8 elements need dynamic\(2\) to be a multiple of 8, but it is
// expect-gcc: declared as a multiple of 4
// expect-clang: packs: packs of 8 elements.*need dynamic\(2\) to be a
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
