// Sums the outputs of the four experts of each token, like vLLM's moe_sum_kernel
// (csrc/moe/moe_align_sum_kernels.cu).
#pragma once

#include "../tensors.cuh"

/// `in` has the shape (tokens, 4, columns), and `out` has (tokens, 1, columns).
extern "C" __global__ void __launch_bounds__(128)
    axe_moe_sum(kernels::rows_of<float const, 3, 4, 0> in, kernels::rows_of<float, 3, 1, 0> out) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(4,128,4):(4@reg,1@tid,1@reg)]"_axe>;
  auto const [token, column] = axe::block<2>();
  auto const v = axe::load<by_fours>(axe::tile<1, 4, 512>(in, token, 0, column), axe::cta<128>);
  axe::reduced<decltype(v), 1> sum;
  axe::reduce<1>(axe::plus{}, v, sum, axe::cta<128>);
  kernels::rows_of<float, 3, 1, 0> const to(out.data, axe::extent<0>(in), axe::extent<2>(in));
  axe::copy(sum, axe::tile<1, 1, 512>(to, token, 0, column), axe::cta<128>);
}
