// Attention of 256 queries of a head, in the structure of FlashAttention-4. Each of two warpgroups turns
// the scores of 128 queries into weights. A third one rescales the sums when the largest score has
// grown. One warp loads and one multiplies. Scores, weights and sums are in tensor memory.
#pragma once

#include "correction.cuh"
#include "multiply.cuh"
#include "softmax.cuh"

/// Q has `group` times the heads of K and V.
template <bool Causal>
__global__ void __launch_bounds__(512, 1)
    attention(__grid_constant__ tensor_map const Q, __grid_constant__ tensor_map const K,
              __grid_constant__ tensor_map const V, bf16* O, unsigned queries, unsigned keys,
              unsigned group, float scale) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& shared = *reinterpret_cast<shared_memory*>(bytes);
  __shared__ axe::pipeline_storage<4> stages;
  __shared__ tile_barriers barriers[2];
  __shared__ measures measure;
  __shared__ unsigned where;
  axe::pipeline<4> const ring(stages);
  unsigned const of = blockIdx.y, begin = 256 * blockIdx.x;
  int const most = keys_of<Causal>(min(begin + 256, queries) - 1, queries, keys);
  unsigned const blocks = static_cast<unsigned>(max(most + 127, 128)) / 128;
  if (threadIdx.x == 0) {
    for (auto const& each : barriers)
      for (unsigned k = 0; k < steps; ++k)
        each[k].init(k == loaded || k == scored || k == summed ? 1 : 4);
    ring.init(1);
  }
  axe::tensor_memory<512> const memory(where);
  tensor_columns const columns{memory.address};
  unsigned const tile = threadIdx.x / 128;
  if (tile < 2) {
    axe::increase_registers<192>();
    unsigned const first = begin + 128 * tile, query = first + threadIdx.x % 128;
    softmax(columns, tile, barriers[tile], measure, keys_of<Causal>(first, queries, keys),
            keys_of<Causal>(query, queries, keys), scale, blocks);
  } else if (tile == 2) {
    axe::decrease_registers<80>();
    correct(columns, barriers, measure, head{O + 128ull * queries * of, queries, 128},
            2 * blockIdx.x, blocks);
  } else {
    axe::decrease_registers<48>();
    if (threadIdx.x == 384) multiply(columns, shared, barriers, ring, blocks);
    if (threadIdx.x == 416) load(Q, K, V, shared, barriers, ring, of, group, blocks);
    __syncwarp();
  }
}
