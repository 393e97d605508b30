// Adds x to the residual stream and normalises the sum: r += x, x = r * w / sqrt(mean(r^2) + eps),
// in bf16 and in place. A block for each row, 8 elements for each thread and step. Source: vLLM,
// csrc/layernorm_kernels.cu (fused_add_rms_norm_kernel).
#pragma once

#include "../instructions.cuh"

#include <cuda_bf16.h>

namespace add_rms_norm_by_hand {

/// Both halves of a word of two bf16. __bfloat1622float2 takes an instruction more.
__device__ __forceinline__ float2 widened(__nv_bfloat162 v) {
  unsigned const word = reinterpret_cast<unsigned const&>(v);
  return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
}

}  // namespace add_rms_norm_by_hand

extern "C" __global__ void __launch_bounds__(256)
    hand_add_rms_norm(__nv_bfloat16* x, __nv_bfloat16* residual, __nv_bfloat16 const* weights,
                      unsigned columns, float epsilon) {
  using by_hand::plus_bytes, add_rms_norm_by_hand::widened;
  __shared__ alignas(16) float partial[8];
  unsigned const vectors = columns / 8;
  std::uint64_t const row = std::uint64_t{blockIdx.x} * (2 * columns);
  uint4* const to = plus_bytes(reinterpret_cast<uint4*>(x), row);
  uint4* const stream = plus_bytes(reinterpret_cast<uint4*>(residual), row);
  uint4 const* const w = reinterpret_cast<uint4 const*>(weights);
  float sum = 0;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < vectors; i += 256) {
    uint4 const a = to[i];
    uint4 b = stream[i];
    auto const* p = reinterpret_cast<__nv_bfloat162 const*>(&a);
    auto* q = reinterpret_cast<__nv_bfloat162*>(&b);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      q[k] = __hadd2(q[k], p[k]);
      float2 const v = widened(q[k]);
      sum += v.x * v.x;
      sum += v.y * v.y;
    }
    stream[i] = b;
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = partial[0];
#pragma unroll
  for (int w = 1; w < 8; ++w) sum += partial[w];
  float const scale = rsqrtf(__fdividef(sum, static_cast<float>(columns)) + epsilon);
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < vectors; i += 256) {
    uint4 const b = stream[i], g = w[i];
    uint4 out;
    auto const* p = reinterpret_cast<__nv_bfloat162 const*>(&b);
    auto const* q = reinterpret_cast<__nv_bfloat162 const*>(&g);
    auto* o = reinterpret_cast<__nv_bfloat162*>(&out);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float2 const v = widened(p[k]), by = widened(q[k]);
      o[k] = __floats2bfloat162_rn(v.x * scale * by.x, v.y * scale * by.y);
    }
    to[i] = out;
  }
}
