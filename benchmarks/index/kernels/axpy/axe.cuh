// Computes y = a x + y, like axpy of the BLAS.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_axpy(kernels::rows_of<float const, 1> x, kernels::rows_of<float, 1> y, float a) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>;
  kernels::rows_of<float, 1> const out(y.data, x.sizes);
  auto const sum = axe::tile<1024>(out, axe::block_x());
  auto const u = axe::load<by_fours>(axe::tile<1024>(x, axe::block_x()), axe::cta<256>);
  auto v = axe::load<by_fours>(sum, axe::cta<256>);
  axe::elementwise([a](float p, float q) { return a * p + q; }, v, u, v);
  axe::copy(v, sum, axe::cta<256>);
}
