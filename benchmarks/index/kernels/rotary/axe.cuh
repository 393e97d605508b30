// Rotates neighbouring pairs of a (batch, head, token, 128) tensor, with cosines and sines from
// tables, like vLLM's csrc/pos_encoding_kernels.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace rotary {
using namespace axe::literals;
using by_eights = axe::carrier<"S[(8,16,8):(16@tid,1@tid,1@reg)]"_axe>;
using by_fours = axe::carrier<"S[(8,16,4):(16@tid,1@tid,1@reg)]"_axe>;
}  // namespace rotary

extern "C" __global__ void __launch_bounds__(128)
    axe_rotary(kernels::rows_of<__half const, 4> x, kernels::rows_of<__half, 4> y,
               kernels::rows_of<float const, 2, 64> cosines,
               kernels::rows_of<float const, 2, 64> sines) {
  using namespace rotary;
  kernels::rows_of<float const, 2, 64> const sine_table(sines.data, cosines.sizes);
  auto const [batch, head, token] = axe::block<3>();
  auto v = axe::load<by_eights>(axe::tile<1, 1, 8, 128>(x, batch, head, token, 0), axe::cta<128>);
  auto const c = axe::load<by_fours>(axe::tile<8, 64>(cosines, token, 0), axe::cta<128>);
  auto const s = axe::load<by_fours>(axe::tile<8, 64>(sine_table, token, 0), axe::cta<128>);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float2 const p = __half22float2(__halves2half2(v[2 * i], v[2 * i + 1]));
    __half2 const turned = __floats2half2_rn(p.x * c[i] - p.y * s[i], p.x * s[i] + p.y * c[i]);
    v[2 * i] = __low2half(turned);
    v[2 * i + 1] = __high2half(turned);
  }
  axe::copy(v, axe::tile<1, 1, 8, 128>(y, batch, head, token, 0), axe::cta<128>);
}
