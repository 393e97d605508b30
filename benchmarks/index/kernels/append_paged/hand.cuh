// Appends new tokens to a paged cache: row i of `tokens` (heads x 128 halves) goes to the slot
// positions[i] % 16 of page pages[i]. Sixteen threads per head. Source: FlashInfer,
// include/flashinfer/page.cuh (AppendPagedKVCacheKernel).
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_append_paged(__half const* tokens, unsigned const* pages, unsigned const* positions,
                      __half* cache, unsigned heads) {
  unsigned const head = blockIdx.x * 8 + (threadIdx.x >> 4), i = blockIdx.y;
  if (head >= heads) return;
  unsigned const column = head * 128 + (threadIdx.x & 15) * 8, row = heads * 128;
  std::uint64_t const slot = std::uint64_t{pages[i]} * 16 + (positions[i] & 15);
  *reinterpret_cast<uint4*>(cache + slot * row + column) =
      *reinterpret_cast<uint4 const*>(tokens + std::uint64_t{i} * row + column);
}
