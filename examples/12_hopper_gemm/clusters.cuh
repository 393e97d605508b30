// Step 5: clusters of two blocks with tiles of 128 x 256, one below the other. Both blocks read the
// same B. Each block loads half of B with a TMA multicast to both. A warpgroup issues a group of
// wgmma while the previous group runs. It releases a stage one step later, when wgmma_wait<1> shows
// that the group that reads the stage is complete.
#pragma once

#include "epilogue.cuh"

struct clusters_memory {
  struct {
    rows_of_64<128>::buffer a;
    rows_of_64<256>::buffer b;
  } stages[3];
  staged_rows staged[2];
};

__global__ void __launch_bounds__(384, 1) __cluster_dims__(2)
    clusters(__grid_constant__ operand const A, __grid_constant__ operand const B,
             __grid_constant__ operand const C, tile_order tiles, unsigned depth) {
  constexpr unsigned bytes = axe::bytes_of_tile<rows_of_64<128>::buffer>;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<clusters_memory*>(memory);
  __shared__ axe::pipeline_storage<3> barriers;
  axe::pipeline<3> const ring(barriers);
  auto const rank = axe::cta_in_cluster<2>();
  if (axe::thread_id() == 0) ring.init(4);  // the consumer warpgroups of both blocks
  axe::cluster_sync();
  unsigned const steps = (depth + 63) / 64, first = axe::block_x() / 2, apart = gridDim.x / 2;
  axe::pipeline_state<3> at;
  if (axe::thread_id() < 128) {
    axe::decrease_registers<24>();
    if (axe::thread_id() != 0) return;
    for (unsigned n = first; n < tiles.size(); n += apart)
      for (unsigned k = 0; k < steps; ++k, at.advance()) {
        auto& stage = shared.stages[at.stage];
        auto const b = axe::tile<128, 64>(stage.b, rank, 0);
        ring.wait_until_empty(at);
        auto const full = ring.fill(at, 3 * bytes);
        axe::copy_async(
            axe::mapped(A.map, axe::tile<128, 64>(A.tensor, 2 * tiles[n].row + rank(), k)), stage.a,
            full, axe::thread);
        axe::copy_async<axe::to_ctas<0b11>>(
            axe::mapped(B.map, axe::tile<128, 64>(B.tensor, 2 * tiles[n].column + rank(), k)), b,
            full, axe::thread);
      }
    return ring.drain(at);
  }
  axe::increase_registers<240>();
  auto const half = axe::uniform_warpgroup_id<384, 128>();
  // Thread 0 of a warpgroup releases the stage in block 0, thread 1 in block 1.
  auto const release = [&](axe::pipeline_state<3> used) {
    if (axe::thread_id(axe::warpgroup) < 2) ring.release_in(used, axe::thread_id(axe::warpgroup));
  };
  for (unsigned n = first; n < tiles.size(); n += apart) {
    sums<float, 64, 256> c;
    axe::pipeline_state<3> before = at;
    for (unsigned k = 0; k < steps; ++k) {
      auto& stage = shared.stages[at.stage];
      ring.wait_until_full(at);
      axe::wgmma_fence(c);
      auto const a = axe::tile<64, 64>(stage.a, half, 0);
      axe::mma(c, a, axe::transposed(stage.b), k > 0);
      axe::wgmma_commit();
      axe::wgmma_wait<1>();
      if (k > 0) release(before);
      before = at;
      at.advance();
    }
    axe::wgmma_wait<0>(c);
    release(before);
    unsigned const row = 2 * (2 * tiles[n].row + rank()) + half();
    store_tile(c, shared.staged[half()], C, row, tiles[n].column);
  }
  if (axe::thread_id(axe::warpgroup) == 0) axe::bulk_wait();
}
