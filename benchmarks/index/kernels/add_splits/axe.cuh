// Adds the 64 x 64 accumulator of a split of K to the result by atomic_add.
#pragma once

#include "../accumulators.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_add_splits(kernels::rows_of<float const> partial, kernels::rows_of<float> out) {
  kernels::rows_of<float> const to(out.data, partial.sizes);
  auto const [row, column] = axe::block<2>();
  auto const c = axe::load<kernels::accumulator>(
      axe::exact_grid(axe::tile<64, 64>(partial, row, column)), axe::cta<128>);
  axe::atomic_add(c, axe::exact_grid(axe::tile<64, 64>(to, row, column)), axe::cta<128>);
}
