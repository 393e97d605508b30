// The row pitch of a TMA copy is not a multiple of 16 bytes.
// expect-gcc: tma: a dimension of the map has a stride of 120 bytes, but strides must be multiples
// expect-gcc: of 16
// expect-clang: tma: a dimension of the map.*has a stride of 120 bytes,
// expect-clang: but strides must be multiples
// expect-nvcc: tma_stride.*Facts=<120L?>
#include <axe/axe.hpp>
#include <axe/cuda/tma/transfer.hpp>

using namespace axe::literals;

template <int Pitch>
using load = axe::tma_load<axe::element_type::bf16, axe::dynamic_matrix<64, 64, Pitch>,
                           axe::extents<64, 64>, axe::carrier<"S[4096:1]"_axe>>;

#if defined(AXE_EXPECT_FAILURE)
constexpr unsigned bytes_of_a_tile = load<60>::bytes;
#else
static_assert(load<72>::bytes == 8192);
#endif
