// Merges two attention states of each row, like FlashInfer's MergeStateKernel
// (include/flashinfer/attention/cascade.cuh).
#pragma once

#include "../tensors.cuh"

namespace merge_states {
using namespace axe::literals;
using by_lanes = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
}  // namespace merge_states

extern "C" __global__ void __launch_bounds__(128)
    axe_merge_states(kernels::rows_of<float const, 2, 128> va, kernels::list_of<float const> sa,
                     kernels::rows_of<float const, 2, 128> vb, kernels::list_of<float const> sb,
                     kernels::rows_of<float, 2, 128> out) {
  using merge_states::by_lanes;
  auto const row = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (row >= axe::extent<0>(out)) return;
  float const s = sa(row), u = sb(row), most = fmaxf(s, u);
  float const x = exp2f(s - most), y = exp2f(u - most), by = 1 / (x + y);
  float const left = x * by, right = y * by;
  auto v = axe::load<by_lanes>(axe::tile<1, 128>(va, row, 0), axe::warp);
  auto const w = axe::load<by_lanes>(axe::tile<1, 128>(vb, row, 0), axe::warp);
  axe::elementwise([&](float a, float b) { return a * left + b * right; }, v, v, w);
  axe::copy(v, axe::tile<1, 128>(out, row, 0), axe::warp);
}
