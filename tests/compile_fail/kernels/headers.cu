// Products by wgmma and tcgen05 with the header of mma.sync only.
#include "setup.hpp"

#include <axe/cuda/mma/mma.hpp>

struct in_128 {
  static constexpr axe::layout value =
      axe::mma_shared_layout(16, axe::swizzle_mode::bytes_128, {64, 64});
};
using sums_of_wgmma = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;

__global__ void product() {
  __shared__ axe::shared_tile<__half, in_128, axe::extents<64, 64>> a, b;
  __shared__ unsigned where;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::fragment<float, sums_of_wgmma, axe::extents<64, 64>> c;
  c.fill(0);
  (void)a, (void)b, (void)where, (void)bars;
#if !MISTAKE
  axe::wgmma_fence(c);
  axe::wgmma_wait<0>(c);
#endif

#if MISTAKE == 1  // add #include <axe/cuda/mma/wgmma.hpp>
  axe::mma(c, a, axe::transposed(b));
#elif MISTAKE == 2  // add #include <axe/cuda/mma/wgmma.hpp>
  axe::mma_async(c, a, axe::transposed(b));
#elif MISTAKE == 3  // (sm_100a) add #include <axe/cuda/mma/tcgen05.hpp>
  axe::tensor_memory<32> const memory(where);
#elif MISTAKE == 4  // add #include <axe/cuda/mma/wgmma.hpp>
  float sums[8];
  axe::wgmma<axe::mma_instruction{axe::mma_kind::wgmma, 64, 16, 16},
             axe::mma_types{axe::element_type::f16, axe::element_type::f16, axe::element_type::f32},
             axe::operand_major::k, axe::operand_major::k>(sums, std::uint64_t{}, std::uint64_t{},
                                                           true);
#elif MISTAKE == 5  // tcgen05_commit needs tensor memory
  axe::tcgen05_commit(bars[0]);
#elif MISTAKE == 6  // tcgen05_fence_after needs tensor memory
  axe::tcgen05_fence_after();
#endif
}
