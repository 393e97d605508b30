// Products whose header is missing: axe/cuda.hpp omits those of wgmma and tcgen05.
#include "setup.hpp"

struct in_128 {
  static constexpr axe::layout value =
      axe::mma_shared_layout(16, axe::swizzle_mode::bytes_128, {64, 64});
};
using sums_of_wgmma = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;

__global__ void product() {
  __shared__ axe::shared_tile<__half, in_128, axe::extents<64, 64>> a, b;
  __shared__ unsigned where;
  axe::fragment<float, sums_of_wgmma, axe::extents<64, 64>> c;
  c.fill(0);
  (void)a, (void)b, (void)where;
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
#endif
}
