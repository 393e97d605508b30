// Sums each segment of 512 floats in one warp, like CUB's cub/device/device_segmented_reduce.cuh.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_segmented_sum(kernels::rows_of<float const, 2, 512> in, kernels::column_of<float> sums) {
  using namespace axe::literals;
  using by_warps = axe::carrier<"S[(8,4,32,4):(32@tid,4@reg,1@tid,1@reg)]"_axe>;
  auto const row = axe::block_x();
  auto const v = axe::load<by_warps, axe::zero_fill>(axe::tile<8, 512>(in, row, 0), axe::cta<256>);
  axe::reduced<decltype(v), 1> sum;
  axe::reduce<1>(axe::plus{}, v, sum, axe::cta<256>);
  axe::copy(sum, axe::tile<8, 1>(sums, row, 0), axe::cta<256>);
}
