// Adds the gradient of each token, 256 floats, to the row of its word. On sm_90 one atomic adds
// four floats. Words below 0 are padding. Source: PyTorch,
// aten/src/ATen/native/cuda/Embedding.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_embedding_gradient(float const* gradient, int const* words, float* table,
                            unsigned tokens) {
  unsigned const token = blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (token >= tokens) return;
  int const word = words[token];
  if (word < 0) return;
  float const* const from = gradient + std::uint64_t{token} * 256 + 4 * lane;
  float* const to = table + std::uint64_t{static_cast<unsigned>(word)} * 256 + 4 * lane;
  float4 g[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) g[i] = *reinterpret_cast<float4 const*>(from + 128 * i);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float* const sum = to + 128 * i;
#if __CUDA_ARCH__ >= 900
    atomicAdd(reinterpret_cast<float4*>(sum), g[i]);
#else
    atomicAdd(sum, g[i].x);
    atomicAdd(sum + 1, g[i].y);
    atomicAdd(sum + 2, g[i].z);
    atomicAdd(sum + 3, g[i].w);
#endif
  }
}
