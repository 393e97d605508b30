// Step 3: tiles of 128 x 256 and specialised warpgroups. One thread of the first warpgroup, the
// producer, keeps the pipeline full. The other two warpgroups, the consumers, multiply 64 rows
// each. The producer needs few registers; setmaxnreg gives the rest of its registers to the
// consumers.
#pragma once

#include "tiles.cuh"

struct specialised_stage {
  rows_of_64<128>::buffer a;
  rows_of_64<256>::buffer b;
};

__global__ void __launch_bounds__(384, 1)
    specialised(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
                unsigned depth) {
  constexpr unsigned bytes =
      axe::bytes_of_tile<rows_of_64<128>::buffer> + axe::bytes_of_tile<rows_of_64<256>::buffer>;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto* const stages = reinterpret_cast<specialised_stage*>(memory);
  __shared__ axe::pipeline_storage<4> barriers;
  axe::pipeline<4> const ring(barriers);
  if (axe::thread_id() == 0) ring.init(2);
  __syncthreads();
  unsigned const steps = (depth + 63) / 64;
  axe::pipeline_state<4> at;
  if (axe::thread_id() < 128) {
    axe::decrease_registers<24>();
    if (axe::thread_id() == 0)
      for (unsigned k = 0; k < steps; ++k, at.advance()) {
        ring.wait_until_empty(at);
        auto const full = ring.fill(at, bytes);
        auto& stage = stages[at.stage];
        axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, axe::block_y(), k)),
                        stage.a, full, axe::thread);
        axe::copy_async(axe::mapped(B.map, axe::tile<256, 64>(B.tensor, axe::block_x(), k)),
                        stage.b, full, axe::thread);
      }
    return;
  }
  axe::increase_registers<240>();
  auto const half = axe::uniform_warpgroup_id<384, 128>();
  sums<float, 64, 256> c;
  for (unsigned k = 0; k < steps; ++k, at.advance()) {
    ring.wait_until_full(at);
    auto const a = axe::tile<64, 64>(stages[at.stage].a, half, 0);
    axe::wgmma_fence(c);
    axe::mma(c, a, axe::transposed(stages[at.stage].b), k > 0);
    axe::wgmma_commit();
    axe::wgmma_wait<0>(c);
    ring.release(at, axe::warpgroup);
  }
  axe::copy(rounded(c),
            axe::tile<64, 256>(C, axe::constant<2>{} * axe::block_y() + half, axe::block_x()),
            axe::warpgroup);
}
