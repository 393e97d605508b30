// Step 2: tiles of 128 x 128 and a pipeline of four stages. While wgmma reads one stage, TMA fills
// the next three. The first thread of the warpgroup issues the loads.
#pragma once

#include "tiles.cuh"

struct pipelined_stage {
  rows_of_64<128>::buffer a, b;
};

__global__ void __launch_bounds__(128)
    pipelined(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
              unsigned depth) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto* const stages = reinterpret_cast<pipelined_stage*>(memory);
  __shared__ axe::pipeline_storage<4> barriers;
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) ring.init(1);
  __syncthreads();
  unsigned const steps = (depth + 63) / 64;
  axe::pipeline_state<4> filling, at;
  auto const fill = [&](unsigned k) {
    ring.wait_until_empty(filling);
    auto const full = ring.fill(filling, 2 * axe::bytes_of_tile<rows_of_64<128>::buffer>);
    auto& stage = stages[filling.stage];
    axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, axe::block_y(), k)), stage.a,
                    full, axe::thread);
    axe::copy_async(axe::mapped(B.map, axe::tile<128, 64>(B.tensor, axe::block_x(), k)), stage.b,
                    full, axe::thread);
    filling.advance();
  };
  if (axe::thread_id() == 0)
    for (unsigned k = 0; k < 3 && k < steps; ++k) fill(k);
  sums<float, 128, 128> c;
  for (unsigned k = 0; k < steps; ++k, at.advance()) {
    if (axe::thread_id() == 0 && k + 3 < steps) fill(k + 3);
    ring.wait_until_full(at);
    axe::wgmma_fence(c);
    axe::mma(c, stages[at.stage].a, axe::transposed(stages[at.stage].b), k > 0);
    axe::wgmma_commit();
    axe::wgmma_wait<0>(c);
    if (axe::thread_id() == 0) ring.release(at);
  }
  axe::copy(rounded(c), axe::tile<128, 128>(C, axe::block_y(), axe::block_x()), axe::warpgroup);
}
