// Each of two warpgroups turns the scores of 128 queries into weights 2^(score - shift). A thread
// has one query. The first shift is the largest score of the first block of keys. As in
// FlashAttention-4, the shift changes only if a score exceeds it by more than 8: weights up to 2^8
// need no rescaling of the sums.
#pragma once

#include "tiles.cuh"

/// The score of a key that the query may not use.
constexpr float minus_infinity = __builtin_bit_cast(float, 0xff800000);
__device__ __forceinline__ float power_of_two(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}

__device__ __forceinline__ void softmax(block_work const& all, unsigned tile, float scale) {
  unsigned const row = axe::thread_id(axe::warpgroup), first = 256 * axe::block_x() + 128 * tile;
  int const all_use = all.keys_of(first), own_keys = all.keys_of(first + row);
  row_per_thread<float, 128> scores;
  row_per_thread<bf16, 128> weights;
  axe::reduced<row_per_thread<float, 128>, 1> of_block;
  float largest = minus_infinity, sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < all.blocks; ++j) {
    all.shared.barriers[tile][scored].wait(j & 1);
    axe::tcgen05_fence_after();
    axe::copy(all.columns.scores(tile), scores, axe::warpgroup);
    int const before = static_cast<int>(128 * j);
    if (before + 128 > all_use)
      axe::for_each(scores, axe::warpgroup, [&](float& score, unsigned, unsigned key) {
        if (before + static_cast<int>(key) >= own_keys) score = minus_infinity;
      });
    axe::reduce<1>(axe::maximum{}, scores, of_block, axe::warpgroup);
    float const seen = fmaxf(largest, scale * of_block.registers[0]);
    float const kept = seen - largest > 8 ? seen : largest;
    float const shift = kept == minus_infinity ? 0 : kept;
    float const factor = power_of_two(largest - shift);
    largest = kept;
    // The correction warpgroup has read the previous factor, because these scores were computed
    // after the barrier `corrected`.
    all.shared.factor[tile][row] = factor;
    all.arrive(tile, measured);
    axe::elementwise([=](float x) { return power_of_two(fmaf(x, scale, -shift)); }, scores, scores);
    axe::cast(scores, weights);
    axe::copy(weights, all.columns.weights(tile), axe::warpgroup);
    axe::tcgen05_fence_before();
    all.arrive(tile, weighted);
    axe::reduce<1>(axe::plus{}, scores, of_block, axe::warpgroup);
    sum = sum * factor + of_block.registers[0];
  }
  all.shared.barriers[tile][corrected].wait((all.blocks - 1) & 1);  // the last factor has been read
  all.shared.factor[tile][row] = sum > 0 ? 1 / sum : 0;
  all.arrive(tile, measured);
}
