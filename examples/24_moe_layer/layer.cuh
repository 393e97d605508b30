// Both products of a layer of a mixture of experts in one launch. Blocks compute tiles in order:
// first the tiles of the product with SwiGLU, then the tiles of the product with the weighted
// scatter. A tile of the second product waits until the rows that it reads are complete. Each 64
// rows of an expert have a counter of finished tiles, which is increased with release and read with
// acquire. The wait ends, because all blocks are resident and each tile is begun before the tiles
// that wait for it.
#pragma once

#include "product.cuh"

__global__ void __launch_bounds__(128) moe_layer(layer moe) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& stages = *reinterpret_cast<stage(*)[3]>(memory);
  __shared__ int pairs[64];  // rows of the tile: top * token + choice, or -1 past the last row
  // before[e]: the number of 64-row tiles of the experts before e. found: the number of this
  // block's tile, and its expert.
  __shared__ unsigned before[most_experts + 1], found[2];
  auto const block = axe::cta<128>;
  auto const warp = axe::warp_coordinate<2, 2>();
  unsigned const t = axe::thread_id(), experts = axe::extent<0>(moe.chosen_by);
  unsigned const inner = axe::tiles<1, 64>(moe.inner), hidden = axe::tiles<1, 128>(moe.out);
  auto const tiles = [&](unsigned expert) { return (moe.counts[expert] + 63) / 64; };
  unsigned sum = 0;
  for (unsigned e = 0; e < min(t, experts); ++e) sum += tiles(e);
  before[t] = sum;
  if (t + 1 == most_experts) before[t + 1] = sum + (t < experts ? tiles(t) : 0);
  for (unsigned turn = 0;; ++turn) {
    if (t == 0) found[0] = turn == 0 ? axe::block_x() : gridDim.x + atomicAdd(moe.ticket, 1u);
    axe::sync(block);
    unsigned const all = before[most_experts];
    bool const second = found[0] >= all * inner;
    unsigned const columns = second ? hidden : inner, n = found[0] - (second ? all * inner : 0);
    if (n >= all * columns) return;
    if (before[t] * columns <= n && n < before[t + 1] * columns) found[1] = t;
    axe::sync(block);
    unsigned const e = found[1], height = before[e + 1] - before[e], rest = n - before[e] * columns;
    unsigned const column = rest / height, row = rest % height;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> const ready(moe.ready[before[e] + row]);
    if (t < 64)
      pairs[t] =
          64 * row + t < moe.counts[e] ? static_cast<int>(moe.chosen_by(e, 64 * row + t)) : -1;
    if (second && t == 0)
      while (ready.load(cuda::memory_order_acquire) < inner) {}
    axe::sync(block);
    by_warp<float> c[2];
    if (!second) {
      unsigned const gate = 2 * inner * e + column;
      // pairs[i] >> 3 is the token (top is 8), or -1.
      multiply(
          stages, moe.tokens, [&](unsigned i) { return pairs[i] >> 3; }, moe.up,
          {gate, gate + inner}, c);
      by_warp<bf16> rounded;
      axe::elementwise([](float g, float u) { return g / (1 + __expf(-g)) * u; }, c[0], c[0], c[1]);
      axe::cast(c[0], rounded);
      axe::scatter<0>(rounded, axe::tile<32, 32>(moe.inner, 0, 2 * column + warp.column), axe::warp,
                      [&](unsigned i) { return pairs[32 * warp.row() + i]; });
      axe::sync(block);
      if (t == 0) ready.fetch_add(1, cuda::memory_order_release);
    } else {
      unsigned const first = 2 * (hidden * e + column);
      multiply(
          stages, moe.inner, [&](unsigned i) { return pairs[i]; }, moe.down, {first, first + 1}, c);
#pragma unroll
      for (unsigned k = 0; k < 2; ++k)
        axe::for_each(c[k], axe::warp, [&](float x, unsigned i, unsigned j) {
          int const pair = pairs[32 * warp.row() + i];
          unsigned const at = 128 * column + 64 * k + 32 * warp.column() + j;
          if (pair >= 0) atomicAdd(&moe.out(pair / top, at), moe.weights[pair] * x);
        });
    }
  }
}
