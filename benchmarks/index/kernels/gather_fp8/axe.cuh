// Gathers rows of e4m3 and multiplies each group of 128 columns by its scale. The scales are those
// of act_quant in DeepSeek-V3, inference/kernel.py.
#pragma once

#include "../tensors.cuh"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

namespace gather_fp8 {
using namespace axe::literals;
using by_sixteens = axe::carrier<"S[(128,16):(1@tid,1@reg)]"_axe>;
using by_groups = axe::carrier<"S[16:8@tid] + R[8:1@tid]"_axe>;
using row = axe::extents<1, 2048>;
}  // namespace gather_fp8

extern "C" __global__ void __launch_bounds__(128)
    axe_gather_fp8(kernels::rows_of<__nv_fp8_e4m3 const> x,
                   axe::tensor<float const, axe::row_major<2>> scales,
                   kernels::list_of<int const> tokens, kernels::rows_of<__nv_bfloat16> out) {
  using namespace gather_fp8;
  auto const [i, block] = axe::block<2>();
  int const token = tokens(i);
  auto const bytes = axe::load<by_sixteens>(axe::tile<1, 2048>(x, token, block), axe::cta<128>);
  auto const scale = axe::load<by_groups>(axe::tile<1, 16>(scales, token, block), axe::cta<128>);
  axe::fragment<float, by_sixteens, row> v;
  axe::cast(bytes, v);
  axe::elementwise([&](float a) { return a * scale[0]; }, v, v);
  axe::fragment<__nv_bfloat16, by_sixteens, row> scaled;
  axe::cast(v, scaled);
  axe::copy(scaled, axe::tile<1, 2048>(out, i, block), axe::cta<128>);
}
