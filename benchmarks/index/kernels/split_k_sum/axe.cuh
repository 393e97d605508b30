// Sums the partial products of split-K, like CUTLASS's reduction/kernel/reduce_split_k.h.
#pragma once

#include "../tensors.cuh"

/// `partial` has the shape (splits, rows, columns), and `out` has (1, rows, columns).
extern "C" __global__ void __launch_bounds__(128)
    axe_split_k_sum(kernels::rows_of<float const, 3> partial, kernels::rows_of<float, 3> out) {
  using namespace axe::literals;
  using by_fours = axe::carrier<"S[(4,32,4):(32@tid,1@tid,1@reg)]"_axe>;
  auto const [row, column] = axe::block<2>();
  axe::fragment<float, by_fours, axe::extents<1, 4, 128>> sum;
  sum.fill(0);
#pragma unroll 1
  for (unsigned s = 0; s < axe::extent<0>(partial); ++s) {
    auto const v =
        axe::load<by_fours>(axe::tile<1, 4, 128>(partial, s, row, column), axe::cta<128>);
    axe::elementwise(axe::plus{}, sum, sum, v);
  }
  kernels::rows_of<float, 3> const to(out.data, 1, axe::extent<1>(partial),
                                      axe::extent<2>(partial));
  axe::copy(sum, axe::tile<1, 4, 128>(to, 0, row, column), axe::cta<128>);
}
