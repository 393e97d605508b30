// A tensor map that begins at an address that is not a multiple of 16 bytes.
// expect-gcc: tma: the map would start 8 bytes into the tensor, which is not a multiple of 16
// expect-clang: tma: the map would start 8 .*into the tensor, which .*is not a multiple of 16
// expect-nvcc: tma_global_start.*Facts=<8L?>
#include <axe/axe.hpp>
#include <axe/cuda/tma/transfer.hpp>
#include <axe/index/tensor_of.hpp>

using namespace axe::literals;

template <axe::layout L>
using load =
    axe::tma_load<axe::element_type::bf16, axe::tensor_of<axe::carrier<L>, axe::extents<64, 64>>,
                  axe::extents<64, 64>, axe::carrier<"S[4096:1]"_axe>>;

#if defined(AXE_EXPECT_FAILURE)
constexpr unsigned bytes_of_a_tile = load<"S[(64,64):(72,1)] + 4"_axe>::bytes;
#else
static_assert(load<"S[(64,64):(72,1)] + 8"_axe>::plan.global_offset == 16);
#endif
