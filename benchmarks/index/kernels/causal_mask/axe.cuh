// Sets the scores with column > row to minus infinity, like FlashAttention 2's Mask::apply_mask
// (csrc/flash_attn/src/mask.h).
#pragma once

#include "../accumulators.cuh"

extern "C" __global__ void __launch_bounds__(128) axe_causal_mask(kernels::rows_of<float> scores) {
  auto const [row, column] = axe::block<2>();
  auto const tile = axe::exact_grid(axe::tile<64, 64>(scores, row, column));
  auto s = axe::load<kernels::accumulator>(tile, axe::cta<128>);
  axe::for_each(s, axe::cta<128>, [row = 64 * row, column = 64 * column](float& v, auto i, auto j) {
    if (column + j > row + i) v = -INFINITY;
  });
  axe::copy(s, tile, axe::cta<128>);
}
