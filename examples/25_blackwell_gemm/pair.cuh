// Step 3: a pair of CTAs computes a tile of 256 x 256. Each CTA loads 128 rows of A and half of the
// 256 rows of B, so B is loaded once for both. One thread of CTA 0 multiplies for the pair. Each
// CTA has the sums of the rows of A that it loaded. Barriers of CTA 0 count the bytes of both CTAs,
// and a commit arrives at a barrier of each CTA.
#pragma once

#include "tiles.cuh"

struct pair_stage {
  rows_of_64<128>::buffer a, b;
};

/// Multiplies a tile. One thread of CTA 0 calls it.
template <class Sums, int Stages>
__device__ __forceinline__ void multiply(Sums const& c, pair_stage* stages,
                                         axe::pipeline<Stages> const& ring,
                                         axe::pipeline_state<Stages>& at, unsigned steps) {
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k, at.advance()) {
    ring.wait_until_full(at);
    axe::mma(c, stages[at.stage].a, axe::transposed(stages[at.stage].b), k > 0);
    axe::tcgen05_commit_to<2>(ring.empty(at.stage), 0b11);
  }
}

/// Loads tile (row, column). One thread of each CTA calls it.
template <int Stages>
__device__ __forceinline__ void load(operand const& A, operand const& B, pair_stage* stages,
                                     axe::pipeline<Stages> const& ring,
                                     axe::pipeline_state<Stages>& at, unsigned row, unsigned column,
                                     unsigned steps) {
  unsigned const rank = axe::cta_in_cluster<2>()();
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k, at.advance()) {
    ring.wait_until_empty(at);
    if (rank == 0) ring.fill(at, 4 * axe::bytes_of_tile<rows_of_64<128>::buffer>);
    auto const full = axe::of_pair(ring.full(at.stage));
    auto& stage = stages[at.stage];
    axe::copy_async(axe::mapped(A.map, axe::tile<128, 64>(A.tensor, 2 * row + rank, k)), stage.a,
                    full, axe::thread);
    axe::copy_async(axe::mapped(B.map, axe::tile<128, 64>(B.tensor, 2 * column + rank, k)), stage.b,
                    full, axe::thread);
  }
}

__global__ void __launch_bounds__(128) __cluster_dims__(2)
    pair(__grid_constant__ operand const A, __grid_constant__ operand const B, matrix C,
         unsigned depth) {
  extern __shared__ __align__(1024) unsigned char shared[];
  auto* const stages = reinterpret_cast<pair_stage*>(shared);
  __shared__ axe::pipeline_storage<6> barriers;
  __shared__ axe::mbarrier_storage<1> finished;
  __shared__ unsigned tmem_address;
  axe::pipeline<6> const ring(barriers);
  if (axe::thread_id() == 0) {
    finished[0].init(1);
    ring.init(1);
  }
  axe::tensor_memory<256, 2> const memory(tmem_address);
  auto const c = sums<256>(memory);
  unsigned const rank = axe::cta_in_cluster<2>()(), steps = (depth + 63) / 64;
  axe::pipeline_state<6> at;
  if (axe::thread_id() == 0)
    load(A, B, stages, ring, at, axe::block_x() / 2, axe::block_y(), steps);
  if (axe::thread_id() == 32 && rank == 0) {
    multiply(c, stages, ring, at, steps);
    axe::tcgen05_commit_to<2>(finished[0], 0b11);
  }
  __syncwarp();
  finished[0].wait(0);
  axe::tcgen05_fence_after();
  write<256>(c, C, axe::block_x(), axe::block_y());
}
