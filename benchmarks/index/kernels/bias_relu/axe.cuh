// Adds a bias to each column of an accumulator and replaces negative values by 0, like CUTLASS's
// epilogue/thread/linear_combination_bias_relu.h.
#pragma once

#include "../accumulators.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_bias_relu(kernels::rows_of<float const> sums, kernels::rows_of<float const> bias,
                  kernels::rows_of<__half> out) {
  auto const [row, column] = axe::block<2>();
  auto c = axe::load<kernels::accumulator>(axe::tile<64, 64>(sums, row, column), axe::cta<128>);
  axe::reduced<decltype(c), 0> b;
  axe::copy(axe::tile<1, 64>(bias, 0, column), b, axe::cta<128>);
  axe::elementwise([](float x, float y) { return fmaxf(x + y, 0); }, c, c, b);
  axe::fragment<__half, kernels::accumulator, axe::extents<64, 64>> rounded;
  axe::cast(c, rounded);
  axe::copy(rounded, axe::tile<64, 64>(out, row, column), axe::cta<128>);
}
