// Transforms each row of 256 halves in one warp, like Dao-AILab's
// csrc/fast_hadamard_transform_cuda.cu.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

namespace hadamard {
using namespace axe::literals;
using by_eights = axe::carrier<"S[(32,8):(1@lane,1@reg)]"_axe>;
}  // namespace hadamard

extern "C" __global__ void __launch_bounds__(256)
    axe_hadamard(kernels::rows_of<__half const, 2, 256> x, kernels::rows_of<__half, 2, 256> y) {
  using hadamard::by_eights;
  auto const row = axe::constant<8>{} * axe::block_x() + axe::warp_id<256>();
  if (row >= axe::extent<0>(x)) return;
  auto halves = axe::load<by_eights>(axe::tile<1, 256>(x, row, 0), axe::warp);
  axe::fragment<float, by_eights, axe::extents<1, 256>> v;
  axe::cast(halves, v);
#pragma unroll
  for (int d = 1; d < 8; d *= 2)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if ((i & d) == 0) {
        float const a = v[i], b = v[i + d];
        v[i] = a + b;
        v[i + d] = a - b;
      }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    float const sign = threadIdx.x & d ? -1.f : 1.f;
    axe::elementwise([=](float a) { return fmaf(sign, a, __shfl_xor_sync(~0u, a, d)); }, v, v);
  }
  axe::elementwise([](float a) { return a * 0.0625f; }, v, v);
  axe::cast(v, halves);
  axe::copy(halves, axe::tile<1, 256>(y, row, 0), axe::warp);
}
