// A warpgroup multiplies the sums of both tiles in tensor memory by the factor that softmax has
// computed, unless all factors of a warp are 1. The last factor is 1 / (sum of the weights). The
// sums times the last factor are the output.
#pragma once

#include "tiles.cuh"

__device__ __forceinline__ void correct(block_work const& all, head const& O) {
  row_per_thread<float, 32> part;
  row_per_thread<bf16, 32> out;
#pragma unroll 1
  for (unsigned n = 0; n < 2 * (all.blocks + 1); ++n) {
    unsigned const tile = n % 2, j = n / 2;
    auto const& barriers = all.shared.barriers[tile];
    barriers[measured].wait(j & 1);
    float const factor = all.shared.factor[tile][axe::thread_id(axe::warpgroup)];
    if (j > 0) barriers[summed].wait((j - 1) & 1);
    if (j == all.blocks || (j > 0 && __any_sync(0xffffffffu, factor != 1))) {
      axe::tcgen05_fence_after();
#pragma unroll 1
      for (unsigned k = 0; k < 4; ++k) {
        auto const sums = axe::columns<32>(all.columns.output(tile), k);
        axe::copy(sums, part, axe::warpgroup);
        axe::elementwise([=](float x) { return x * factor; }, part, part);
        if (j < all.blocks) axe::copy(part, sums, axe::warpgroup);
        if (j < all.blocks) continue;
        axe::cast(part, out);
        axe::copy(out, axe::tile<128, 32>(O, 2 * axe::block_x() + tile, k), axe::warpgroup);
      }
      axe::tcgen05_fence_before();
    }
    if (j < all.blocks) all.arrive(tile, corrected);
  }
}
