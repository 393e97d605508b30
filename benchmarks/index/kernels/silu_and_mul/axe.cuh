// Computes silu(gate) * up for rows that hold gate and then up, like vLLM's act_and_mul_kernel
// (csrc/activation_kernels.cu).
#pragma once

#include "../tensors.cuh"

/// `in` has the shape (rows, gate or up, columns), and `out` has (rows, 1, columns).
extern "C" __global__ void __launch_bounds__(256)
    axe_silu_and_mul(kernels::rows_of<float const, 3> in, kernels::rows_of<float, 3, 1, 0> out) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>;
  auto const [row, column] = axe::block<2>();
  auto g = axe::load<by_fours>(axe::tile<1, 1, 1024>(in, row, 0, column), axe::cta<256>);
  auto const u = axe::load<by_fours>(axe::tile<1, 1, 1024>(in, row, 1, column), axe::cta<256>);
  axe::elementwise([](float x, float y) { return x / (1 + __expf(-x)) * y; }, g, g, u);
  kernels::rows_of<float, 3, 1, 0> const to(out.data, axe::extent<0>(in), axe::extent<2>(in));
  axe::copy(g, axe::tile<1, 1, 1024>(to, row, 0, column), axe::cta<256>);
}
