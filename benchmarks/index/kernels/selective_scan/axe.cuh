// Updates the 16 states of each channel and adds them up, like Mamba's
// mamba_ssm/ops/triton/selective_state_update.py. Channels are a multiple of 32.
#pragma once

#include "../tensors.cuh"

namespace selective_scan {
using namespace axe::literals;
using by_states = axe::carrier<"S[(32,4,4):(4@tid,1@tid,1@reg)]"_axe>;
using for_all = axe::carrier<"S[(4,4):(1@tid,1@reg)] + R[32:4@tid]"_axe>;
using by_channels = axe::carrier<"S[32:4@tid] + R[4:1@tid]"_axe>;
template <class T> using inputs = axe::tensor<T, axe::row_major<2>>;
}  // namespace selective_scan

extern "C" __global__ void __launch_bounds__(128)
    axe_selective_scan(kernels::rows_of<float, 3, 16> h, kernels::rows_of<float const, 2, 16> A,
                       selective_scan::inputs<float const> x,
                       selective_scan::inputs<float const> steps,
                       kernels::rows_of<float const, 2, 16> B,
                       kernels::rows_of<float const, 2, 16> C, kernels::list_of<float const> D,
                       selective_scan::inputs<float> out) {
  using namespace selective_scan;
  using axe::exact_grid, axe::load, axe::tile;
  inputs<float const> const dt(steps.data, x.sizes);
  inputs<float> const y(out.data, x.sizes);
  auto const [batch, block] = axe::block<2>();
  auto const scope = axe::cta<128>;
  auto const states = exact_grid(tile<1, 32, 16>(h, batch, block, 0));
  auto v = load<by_states>(states, scope);
  auto const a = load<by_states>(exact_grid(tile<32, 16>(A, block, 0)), scope);
  auto const b = load<for_all>(tile<1, 16>(B, batch, 0), scope);
  auto const c = load<for_all>(tile<1, 16>(C, batch, 0), scope);
  auto const in = load<by_channels>(exact_grid(tile<1, 32>(x, batch, block)), scope);
  auto const step = load<by_channels>(exact_grid(tile<1, 32>(dt, batch, block)), scope);
  auto const through = load<by_channels>(exact_grid(tile<32>(D, block)), scope);
  decltype(v) weighted;
  float const moved = step[0] * in[0];
  axe::for_each_register<v.size>([&](auto r) {
    v[r] = v[r] * __expf(step[0] * a[r]) + moved * b[r];
    weighted[r] = v[r] * c[r];
  });
  axe::copy(v, states, scope);
  axe::reduced<decltype(weighted), 2> sum;
  axe::reduce<2>(axe::plus{}, weighted, sum, scope);
  axe::fragment<float, by_channels, axe::extents<1, 32>> result;
  result[0] = sum[0] + through[0] * in[0];
  axe::copy(result, exact_grid(tile<1, 32>(y, batch, block)), scope);
}
