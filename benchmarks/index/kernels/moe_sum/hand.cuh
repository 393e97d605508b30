// The sum of the outputs of a token's four experts, (tokens, 4, columns) floats. Source: vLLM,
// csrc/moe/moe_align_sum_kernels.cu (moe_sum_kernel).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_moe_sum(float const* in, float* out, unsigned columns) {
  unsigned const column = blockIdx.x * 512 + threadIdx.x * 4;
  if (column >= columns) return;
  float const* from = in + std::uint64_t{blockIdx.y} * (columns * 4) + column;
  float4 sum = *reinterpret_cast<float4 const*>(from);
#pragma unroll
  for (int k = 1; k < 4; ++k) {
    from += columns;
    float4 const v = *reinterpret_cast<float4 const*>(from);
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  *reinterpret_cast<float4*>(out + std::uint64_t{blockIdx.y} * columns + column) = sum;
}
