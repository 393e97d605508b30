// Inclusive prefix sums of rows of 1024 floats, like CUB's cub/block/block_scan.cuh.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_row_scan(kernels::rows_of<float const, 2, 1024> in, kernels::rows_of<float, 2, 1024> out) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>;
  __shared__ axe::shared_tile<float, axe::carrier<"S[8:1]"_axe>> totals;
  auto const row = axe::block_x();
  auto v = axe::load<by_fours>(axe::tile<1, 1024>(in, row, 0), axe::cta<256>);
  for (int r = 1; r < 4; ++r) v[r] += v[r - 1];
  float sum = v[3];
  unsigned const lane = axe::lane_id(), warp = axe::warp_id<256>();
#pragma unroll
  for (int apart = 1; apart < 32; apart *= 2) {
    float const other = __shfl_up_sync(~0u, sum, apart);
    if (lane >= apart) sum += other;
  }
  if (lane == 31) totals(warp) = sum;
  axe::sync(axe::cta<256>);
  float before = __shfl_up_sync(~0u, sum, 1);
  if (lane == 0) before = 0;
#pragma unroll
  for (int w = 0; w < 7; ++w)
    if (w < warp) before += totals(w);
  axe::elementwise([=](float x) { return x + before; }, v, v);
  axe::copy(v, axe::tile<1, 1024>(out, row, 0), axe::cta<256>);
}
