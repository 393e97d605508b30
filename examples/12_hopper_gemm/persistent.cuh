// Step 4: one block for each multiprocessor. A block computes several tiles. The pipeline continues
// across tiles, and TMA stores a tile of C while the consumers multiply the next tile.
#pragma once

#include "epilogue.cuh"

struct persistent_memory {
  struct {
    rows_of_64<128>::buffer a;
    rows_of_64<256>::buffer b;
  } stages[3];
  staged_rows staged[2];
};

__global__ void __launch_bounds__(384, 1)
    persistent(__grid_constant__ operand const A, __grid_constant__ operand const B,
               __grid_constant__ operand const C, tile_order tiles, unsigned depth) {
  constexpr unsigned bytes =
      axe::bytes_of_tile<rows_of_64<128>::buffer> + axe::bytes_of_tile<rows_of_64<256>::buffer>;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<persistent_memory*>(memory);
  __shared__ axe::pipeline_storage<3> barriers;
  axe::pipeline<3> const ring(barriers);
  if (axe::thread_id() == 0) ring.init(2);
  __syncthreads();
  unsigned const steps = (depth + 63) / 64;
  axe::pipeline_state<3> at;
  if (axe::thread_id() < 128) {
    axe::decrease_registers<24>();
    if (axe::thread_id() == 0)
      for (unsigned n = axe::block_x(); n < tiles.size(); n += gridDim.x)
        for (unsigned k = 0; k < steps; ++k, at.advance()) {
          auto& stage = shared.stages[at.stage];
          ring.wait_until_empty(at);
          auto const full = ring.fill(at, bytes);
          axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, tiles[n].row, k)),
                          stage.a, full, axe::thread);
          axe::copy_async(axe::mapped(B.map, axe::tile<256, 64>(B.tensor, tiles[n].column, k)),
                          stage.b, full, axe::thread);
        }
    return;
  }
  axe::increase_registers<240>();
  auto const half = axe::uniform_warpgroup_id<384, 128>();
  for (unsigned n = axe::block_x(); n < tiles.size(); n += gridDim.x) {
    sums<float, 64, 256> c;
    for (unsigned k = 0; k < steps; ++k) {
      auto& stage = shared.stages[at.stage];
      ring.wait_until_full(at);
      axe::wgmma_fence(c);
      auto const a = axe::tile<64, 64>(stage.a, half, 0);
      axe::mma(c, a, axe::transposed(stage.b), k > 0);
      axe::wgmma_commit();
      axe::wgmma_wait<0>(c);
      ring.release(at, axe::warpgroup);
      at.advance();
    }
    unsigned const row = 2 * tiles[n].row + half();
    store_tile(c, shared.staged[half()], C, row, tiles[n].column);
  }
  if (axe::thread_id(axe::warpgroup) == 0) axe::bulk_wait();
}
