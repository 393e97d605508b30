// Scales the rows of an accumulator by exp2(old - new maximum), like FlashAttention 2's
// Softmax::softmax_rescale_o (csrc/flash_attn/src/softmax.h).
#pragma once

#include "../accumulators.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_softmax_rescale(kernels::rows_of<float> out, kernels::column_of<float const> before,
                        kernels::column_of<float const> now) {
  kernels::column_of<float const> const current(now.data, before.sizes);
  auto const row = axe::block_x();
  auto const tile = axe::exact_grid(axe::tile<64, 64>(out, row, 0));
  auto o = axe::load<kernels::accumulator>(tile, axe::cta<128>);
  axe::reduced<decltype(o), 1> scale, largest;
  axe::copy(axe::exact_grid(axe::tile<64, 1>(before, row, 0)), scale, axe::cta<128>);
  axe::copy(axe::exact_grid(axe::tile<64, 1>(current, row, 0)), largest, axe::cta<128>);
  axe::elementwise([](float m, float n) { return exp2f(m - n); }, scale, scale, largest);
  axe::elementwise([](float v, float s) { return v * s; }, o, o, scale);
  axe::copy(o, tile, axe::cta<128>);
}
