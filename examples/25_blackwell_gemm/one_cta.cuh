// Step 1: one CTA computes one tile of 128 x 128 elements of C. In each step of 64 along K, one
// thread starts the TMA loads of A and B, waits for the bytes, and issues tcgen05.mma, which writes
// the sums to tensor memory.
#pragma once

#include "tiles.cuh"

__global__ void __launch_bounds__(128)
    one_cta(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
            unsigned depth) {
  __shared__ rows_of_64<128>::buffer a, b;
  __shared__ axe::mbarrier_storage<3> barriers;
  __shared__ unsigned tmem_address;
  axe::mbarrier const full = barriers[0], done = barriers[1], finished = barriers[2];
  if (axe::thread_id() == 0) {
    full.init(1);
    done.init(1);
    finished.init(1);
    axe::fence_mbarrier_init();
  }
  axe::tensor_memory<128> const memory(tmem_address);
  auto const c = sums<128>(memory);
  if (axe::thread_id() == 0) {
#pragma unroll 1
    for (unsigned k = 0; k < (depth + 63) / 64; ++k) {
      if (k > 0) done.wait((k - 1) & 1);
      full.arrive_and_expect_tx(2 * axe::bytes_of_tile<decltype(a)>);
      axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, axe::block_y(), k)), a, full,
                      axe::thread);
      axe::copy_async(axe::mapped(B.map, axe::tile<128, 64>(B.tensor, axe::block_x(), k)), b, full,
                      axe::thread);
      full.wait(k & 1);
      axe::mma(c, a, axe::transposed(b), k > 0);
      axe::tcgen05_commit(done);
    }
    axe::tcgen05_commit(finished);
  }
  __syncwarp();
  finished.wait(0);
  axe::tcgen05_fence_after();
  write<128>(c, C, axe::block_y(), axe::block_x());
}
