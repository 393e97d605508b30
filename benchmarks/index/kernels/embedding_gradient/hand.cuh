// Adds the gradient of each token, 256 floats, to the row of its word. Words below 0 are padding.
// After PyTorch, aten/src/ATen/native/cuda/Embedding.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_embedding_gradient(float const* gradient, int const* words, float* table,
                            unsigned tokens) {
  unsigned const token = blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (token >= tokens) return;
  int const word = words[token];
  if (word < 0) return;
  float const* const from = gradient + std::uint64_t{token} * 256 + lane;
  float* const to = table + std::uint64_t{static_cast<unsigned>(word)} * 256 + lane;
  float g[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) g[i] = from[32 * i];
#pragma unroll
  for (int i = 0; i < 8; ++i) atomicAdd(to + 32 * i, g[i]);
}
