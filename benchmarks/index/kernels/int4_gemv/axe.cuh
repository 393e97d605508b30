// Multiplies a matrix of 4-bit weights by a vector. 128 weights of a row share a scale. Source:
// AWQ, awq/kernels/csrc/quantization/gemv_cuda.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace int4_gemv {
using namespace axe::literals;
using words = axe::carrier<"S[(1,32,4):(1@reg,1@lane,1@reg)]"_axe>;
using halves = axe::carrier<"S[(1,32,32):(1@reg,1@lane,1@reg)]"_axe>;
using of_scales = axe::carrier<"S[(1,8):(1@reg,4@lane)] + R[4:1@lane]"_axe>;
using one_lane = axe::carrier<"S[(1,32):(1@reg,1@lane)]"_axe>;
}  // namespace int4_gemv

extern "C" __global__ void __launch_bounds__(128)
    axe_int4_gemv(kernels::rows_of<unsigned const> q,
                  axe::tensor<__half const, axe::row_major<2>> scales,
                  kernels::rows_of<__half const, 1> x, axe::tensor<float, axe::row_major<2, 1>> y) {
  using namespace int4_gemv;
  auto const row = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  if (row >= axe::extent<0>(q)) return;
  axe::fragment<unsigned, words, axe::extents<1, 128>> w;
  axe::fragment<__half, halves, axe::extents<1024>> h;
  axe::fragment<__half, of_scales, axe::extents<1, 8>> s;
  auto const next_w =
      axe::prepare_copy<1>(axe::exact_grid(axe::tile<1, 128>(q, row, 0)), w, axe::warp);
  auto const next_h = axe::prepare_copy<0>(axe::exact_grid(axe::tile<1024>(x, 0)), h, axe::warp);
  auto const next_s =
      axe::prepare_copy<1>(axe::exact_grid(axe::tile<1, 8>(scales, row, 0)), s, axe::warp);
  axe::fragment<float, one_lane, axe::extents<1, 32>> sum;
  axe::reduced<decltype(sum), 1> total;
  sum.fill(0);
#pragma unroll 1
  for (unsigned k = 0; k < axe::tiles<1, 128>(q); ++k) {
    next_w(k);
    next_h(k);
    next_s(k);
    float part = 0;
#pragma unroll
    for (int i = 0; i < 32; ++i)
      part += __half2float(h[i]) * (static_cast<int>((w[i / 8] >> (4 * (i % 8))) & 15) - 8);
    sum[0] += part * __half2float(s[0]);
  }
  axe::reduce<1>(axe::plus{}, sum, total, axe::warp);
  axe::copy(total, axe::tile<1, 1>(y, row, 0), axe::warp);
}
