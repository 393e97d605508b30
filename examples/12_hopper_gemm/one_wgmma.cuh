// Step 1: one warpgroup computes one tile of 64 x 64 elements of C. In each step of 64 along K, one
// thread starts TMA loads of 64 x 64 elements of A and of B. All threads wait for the bytes, and
// wgmma reads them from shared memory.
#pragma once

#include "tiles.cuh"

__global__ void __launch_bounds__(128)
    one_wgmma(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
              unsigned depth) {
  __shared__ rows_of_64<64>::buffer a, b;
  __shared__ axe::mbarrier_storage<1> arrived;
  axe::mbarrier const full = arrived[0];
  if (axe::thread_id() == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
  }
  __syncthreads();
  sums<float, 64, 64> c;
  for (unsigned k = 0; k < (depth + 63) / 64; ++k) {
    if (axe::thread_id() == 0) {
      full.arrive_and_expect_tx(2 * axe::bytes_of_tile<decltype(a)>);
      axe::copy_async(axe::mapped(A.map, axe::tile<64, 64>(A.tensor, axe::block_y(), k)), a, full,
                      axe::thread);
      axe::copy_async(axe::mapped(B.map, axe::tile<64, 64>(B.tensor, axe::block_x(), k)), b, full,
                      axe::thread);
    }
    full.wait(k % 2);
    axe::wgmma_fence(c);
    axe::mma(c, a, axe::transposed(b), k > 0);
    axe::wgmma_commit();
    axe::wgmma_wait<0>(c);
    __syncthreads();
  }
  axe::copy(rounded(c), axe::tile<64, 64>(C, axe::block_y(), axe::block_x()), axe::warpgroup);
}
