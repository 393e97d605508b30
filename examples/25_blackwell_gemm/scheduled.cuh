// The kernels of steps 4 and 5. In each CTA warp 0 loads, and warps 4 to 7 store. Warp 1 of CTA 0
// multiplies, and warp 2 of CTA 0 asks for tiles.
#pragma once

#include "persistent.cuh"

template <class Schedule>
__device__ __forceinline__ void multiply_tiles(operand const& A, operand const& B, operand const& C,
                                               tile_order tiles, unsigned depth,
                                               axe::pipeline<6> const& ring,
                                               axe::pipeline<2> const& accumulators,
                                               unsigned& tmem_address, Schedule schedule) {
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& buffers = *reinterpret_cast<persistent_memory*>(shared);
  if (axe::thread_id() == 0) {
    ring.init(1);
    accumulators.init(8);  // the storing warps of both CTAs
  }
  axe::tensor_memory<512, 2> const memory(tmem_address);
  unsigned const rank = axe::cta_in_cluster<2>()(), steps = (depth + 63) / 64;
  axe::pipeline_state<6> at;
  axe::pipeline_state<2> slot;
  unsigned n = axe::block_x() / 2;
  if (axe::thread_id() == 0) {
    do {
      load(A, B, buffers.stages, ring, at, tiles[n].row, tiles[n].column, steps);
      bool const more = schedule.next(n);
      schedule.release();
      if (!more) break;
    } while (true);
  } else if (axe::thread_id() == 32 && rank == 0) {
    do {
      accumulators.wait_until_empty(slot);
      axe::tcgen05_fence_after();
      multiply(sums<256>(memory, 256 * slot.stage), buffers.stages, ring, at, steps);
      axe::tcgen05_commit_to<2>(accumulators.full(slot.stage), 0b11);
      slot.advance();
      bool const more = schedule.next(n);
      schedule.release();
      if (!more) break;
    } while (true);
  } else if (axe::thread_id() == 64 && rank == 0) {
    schedule.request();
  } else if (axe::thread_id() >= 128) {
    bool more = true;
    while (more) {
      accumulators.wait_until_full(slot);
      axe::tcgen05_fence_after();
      store_tile(sums<256>(memory, 256 * slot.stage), buffers.staged, C, 2 * tiles[n].row + rank,
                 tiles[n].column, [&] { accumulators.release_in(slot, 0); });
      slot.advance();
      more = schedule.next(n);
      __syncwarp();
      if (axe::lane_id() == 0) schedule.release();
    }
    if (axe::thread_id() == 128) axe::bulk_wait();
  }
  __syncwarp();
}

__global__ void __launch_bounds__(256, 1) __cluster_dims__(2)
    persistent(__grid_constant__ operand const A, __grid_constant__ operand const B,
               __grid_constant__ operand const C, tile_order tiles, unsigned depth) {
  __shared__ axe::pipeline_storage<6> full;
  __shared__ axe::pipeline_storage<2> sums;
  __shared__ unsigned tmem_address;
  multiply_tiles(A, B, C, tiles, depth, axe::pipeline<6>(full), axe::pipeline<2>(sums),
                 tmem_address, static_schedule{tiles.size()});
}

__global__ void __launch_bounds__(256, 1) __cluster_dims__(2)
    launch_control(__grid_constant__ operand const A, __grid_constant__ operand const B,
                   __grid_constant__ operand const C, tile_order tiles, unsigned depth) {
  __shared__ axe::pipeline_storage<6> full;
  __shared__ axe::pipeline_storage<2> sums;
  __shared__ axe::tile_scheduler_storage<2> answers;
  __shared__ unsigned tmem_address;
  axe::tile_scheduler<2> const scheduler(answers);
  // For each answer 2 loading threads, 1 that multiplies, 1 that asks and 8 storing warps arrive.
  if (axe::thread_id() == 0) scheduler.init(12);
  multiply_tiles(A, B, C, tiles, depth, axe::pipeline<6>(full), axe::pipeline<2>(sums),
                 tmem_address, launch_control_schedule{scheduler});
}
