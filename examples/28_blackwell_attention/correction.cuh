// A warpgroup multiplies the sums of both tiles, in tensor memory, by the factor that softmax has
// computed, if it is not 1. At the end it divides them by the sum of the weights and stores them.
#pragma once

#include "tiles.cuh"

__device__ __forceinline__ void correct(tensor_columns const& columns,
                                        tile_barriers const (&barriers)[2], measures const& measure,
                                        head const& O, unsigned tiles_before, unsigned blocks) {
  unsigned const row = threadIdx.x % 128;
  row_each<float, 32> part;
  row_each<bf16, 32> out;
#pragma unroll 1
  for (unsigned j = 0; j < blocks; ++j)
#pragma unroll 1
    for (unsigned tile = 0; tile < 2; ++tile) {
      auto const& of = barriers[tile];
      of[measured].wait(j & 1);
      float const factor = measure.factor[tile][row];
      if (j > 0) of[summed].wait(j - 1 & 1);
      if (j > 0 && __any_sync(0xffffffffu, factor != 1)) {
        axe::tcgen05_fence_after();
#pragma unroll 1
        for (unsigned k = 0; k < 4; ++k) {
          auto const sums = axe::columns<32>(columns.output(tile), k);
          axe::copy(sums, part, axe::warpgroup);
          axe::elementwise([=](float x) { return x * factor; }, part, part);
          axe::copy(part, sums, axe::warpgroup);
        }
        axe::tcgen05_fence_before();
      }
      arrive(of, corrected);
    }
#pragma unroll 1
  for (unsigned tile = 0; tile < 2; ++tile) {
    barriers[tile][totalled].wait(0);
    float const sum = measure.sum[tile][row], inverse = sum > 0 ? 1 / sum : 0;
    barriers[tile][summed].wait(blocks - 1 & 1);
    axe::tcgen05_fence_after();
#pragma unroll 1
    for (unsigned k = 0; k < 4; ++k) {
      axe::copy(axe::columns<32>(columns.output(tile), k), part, axe::warpgroup);
      axe::elementwise([=](float x) { return x * inverse; }, part, part);
      axe::cast(part, out);
      axe::copy(out, axe::tile<128, 32>(O, tiles_before + tile, k), axe::warpgroup);
    }
  }
}
