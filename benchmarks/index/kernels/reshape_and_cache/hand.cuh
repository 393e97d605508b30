// Stores the keys of new tokens, (tokens, heads, 128) halves, in a cache (blocks, heads, 16 chunks,
// 16 slots, 8). A slot number is 16 * block + slot. Source: vLLM, csrc/cache_kernels.cu
// (reshape_and_cache_kernel).
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_reshape_and_cache(__half const* keys, unsigned const* slots, __half* cache,
                           unsigned heads) {
  unsigned const head = blockIdx.x * 8 + (threadIdx.x >> 4), chunk = threadIdx.x & 15;
  if (head >= heads) return;
  unsigned const slot = slots[blockIdx.y];
  uint4 const v = reinterpret_cast<uint4 const*>(
      keys)[std::uint64_t{blockIdx.y} * (heads * 16) + (head * 16 + chunk)];
  reinterpret_cast<uint4*>(
      cache)[std::uint64_t{slot >> 4} * (heads * 256) + (head * 256 + chunk * 16 + (slot & 15))] =
      v;
}
