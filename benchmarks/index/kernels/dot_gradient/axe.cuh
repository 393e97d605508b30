// Sums dO * O over each row, like dot_do_o of FlashAttention 2
// (csrc/flash_attn/src/flash_bwd_preprocess_kernel.h).
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace dot_gradient {
using namespace axe::literals;
/// 128 columns, and rows at any multiple of 16 bytes.
template <class T>
using matrix = axe::tensor<T,
                           axe::dynamic_matrix<axe::dynamic(0).below(1 << 30), 128,
                                               axe::dynamic(1).multiple_of(8).below(1 << 30)>,
                           axe::aligned<16>>;
using by_rows = axe::carrier<"S[(8,16,8):(16@tid,1@tid,1@reg)]"_axe>;
}  // namespace dot_gradient

extern "C" __global__ void __launch_bounds__(128)
    axe_dot_gradient(dot_gradient::matrix<__half const> gradient,
                     dot_gradient::matrix<__half const> out, kernels::column_of<float> sums) {
  using dot_gradient::by_rows;
  auto const row = axe::block_x();
  dot_gradient::matrix<__half const> const out_tensor(out.data, gradient.sizes);
  auto const g =
      axe::load<by_rows, axe::zero_fill>(axe::tile<8, 128>(gradient, row, 0), axe::cta<128>);
  auto const o =
      axe::load<by_rows, axe::zero_fill>(axe::tile<8, 128>(out_tensor, row, 0), axe::cta<128>);
  axe::fragment<float, by_rows, axe::extents<8, 128>> product;
  axe::elementwise([](__half x, __half y) { return __half2float(x) * __half2float(y); }, product, g,
                   o);
  axe::reduced<decltype(product), 1> sum;
  axe::reduce<1>(axe::plus{}, product, sum, axe::cta<128>);
  kernels::column_of<float> const to(sums.data, axe::extent<0>(gradient), 1);
  axe::copy(sum, axe::tile<8, 1>(to, row, 0), axe::cta<128>);
}
