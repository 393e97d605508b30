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
    pipelined(__grid_constant__ tensor_map const A, __grid_constant__ tensor_map const B,
              matrix_view C, unsigned depth) {
  using load_a = rows_of_64<128>::load;
  using load_b = rows_of_64<256>::load;
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<pipelined_stage*>(shared);
  __shared__ axe::pipeline_storage<4> barriers;
  __shared__ axe::mbarrier_storage<1> finished;
  __shared__ unsigned tmem_address;
  axe::pipeline<4> const ring(barriers);
  if (threadIdx.x == 0) {
    finished[0].init(1);
    ring.init(1);
  }
  axe::tensor_memory<256> const memory(tmem_address);
  auto const c = sums<256>(memory);
  unsigned const steps = (depth + 63) / 64;
  axe::pipeline_state<4> at;
  if (threadIdx.x == 0)
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k, at.advance()) {
      ring.wait_until_empty(at);
      auto const full = ring.fill(at, load_a::bytes + load_b::bytes);
      load_a::issue(A, stages[at.stage].a, full, blockIdx.y, k);
      load_b::issue(B, stages[at.stage].b, full, blockIdx.x, k);
    }
  if (threadIdx.x == 32) {
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
  write<256>(c, C, blockIdx.y, blockIdx.x);
}
