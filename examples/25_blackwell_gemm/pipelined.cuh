// Step 2: tiles of 128 x 256 and a pipeline of four stages. One thread loads, and a thread of
// another warp multiplies. tcgen05.commit releases a stage when the products that read it are
// complete.
#pragma once

#include "tiles.cuh"

struct pipelined_stage {
  rows_of_64<128>::buffer a;
  rows_of_64<256>::buffer b;
};

__global__ void __launch_bounds__(128)
    pipelined(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
              unsigned depth) {
  constexpr unsigned bytes =
      axe::bytes_of_tile<rows_of_64<128>::buffer> + axe::bytes_of_tile<rows_of_64<256>::buffer>;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<pipelined_stage*>(shared);
  __shared__ axe::pipeline_storage<4> barriers;
  __shared__ axe::mbarrier_storage<1> finished;
  __shared__ unsigned tmem_address;
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) {
    finished[0].init(1);
    ring.init(1);
  }
  axe::tensor_memory<256> const memory(tmem_address);
  auto const c = sums<256>(memory);
  unsigned const steps = (depth + 63) / 64;
  axe::pipeline_state<4> at;
  if (axe::thread_id() == 0)
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      ring.wait_until_empty(at);
      auto const full = ring.fill(at, bytes);
      auto& stage = stages[at.stage];
      axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, axe::block_y(), k)), stage.a,
                      full, axe::thread);
      axe::copy_async(axe::mapped(B.map, axe::tile<256, 64>(B.tensor, axe::block_x(), k)), stage.b,
                      full, axe::thread);
    }
  if (axe::thread_id() == 32) {
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      ring.wait_until_full(at);
      axe::mma(c, stages[at.stage].a, axe::transposed(stages[at.stage].b), k > 0);
      axe::tcgen05_commit(ring.empty(at.stage));
    }
    axe::tcgen05_commit(finished[0]);
  }
  __syncwarp();
  finished[0].wait(0);
  axe::tcgen05_fence_after();
  write<256>(c, C, axe::block_y(), axe::block_x());
}
