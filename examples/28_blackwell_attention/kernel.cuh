// Attention of 256 queries of a head, in the structure of FlashAttention-4. Each of two warpgroups
// turns the scores of 128 queries into weights. A third warpgroup rescales the sums when the
// largest score has grown. One more warp loads, and one multiplies. Scores, weights and sums are in
// tensor memory.
#pragma once

#include "correction.cuh"
#include "multiply.cuh"
#include "softmax.cuh"

/// Q has `group` times the heads of K and V.
template <bool Causal>
__global__ void __launch_bounds__(512, 1)
    attention(__grid_constant__ inputs const in, bf16* O, unsigned queries, unsigned keys,
              unsigned group, float scale) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& shared = *reinterpret_cast<shared_memory*>(bytes);
  axe::pipeline<4> const ring(shared.stages);
  // With a causal mask the last query has the position of the last key.
  int const offset = static_cast<int>(Causal ? keys - queries : keys);
  if (axe::thread_id() == 0) {
    for (auto const& each : shared.barriers)
      for (unsigned k = 0; k < event_count; ++k)
        each[k].init(k == loaded || k == scored || k == summed ? 1 : 4);
    ring.init(1);
  }
  axe::tensor_memory<512> const memory(shared.address);
  block_work all{shared, ring, {memory.address}, static_cast<int>(keys), offset, 0};
  int const most = all.keys_of(min(256 * axe::block_x() + 256, queries) - 1);
  all.blocks = static_cast<unsigned>(max(most + 127, 128)) / 128;
  if (axe::thread_id() < 256) {
    axe::increase_registers<192>();
    softmax(all, axe::warpgroup_id(), scale);
  } else if (axe::thread_id() < 384) {
    axe::decrease_registers<80>();
    correct(all, head{O + 128ull * queries * axe::block_y(), queries, 128});
  } else {
    axe::decrease_registers<48>();
    if (axe::thread_id() == 384) multiply(all);
    if (axe::thread_id() == 416) load(all, in, group);
    __syncwarp();
  }
}
