// Gathers a paged cache (pages, 16 tokens, heads, 128) of halves into (batch, tokens, heads, 128).
// A warp has a page and a head; tokens from lengths[b] on are skipped. After vLLM,
// csrc/cache_kernels.cu (gather_cache).
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_paged_gather(__half const* cache, unsigned const* table, unsigned const* lengths,
                      __half* out, unsigned pages, unsigned heads) {
  unsigned const t = threadIdx.x, number = blockIdx.x * 4 + (t >> 5), b = blockIdx.z;
  unsigned const odd = t >> 4 & 1, first = number * 16 + odd, length = lengths[b];
  if (number * 16 >= length) return;
  unsigned const entry = b * pages + number, page = table[entry];
  unsigned const token = heads * 128, column = blockIdx.y * 128 + (t & 15) * 8;
  __half const* const from = cache + (std::uint64_t{page * 16 + odd} * token + column);
  __half* const to = out + (std::uint64_t{entry * 16 + odd} * token + column);
  std::uint64_t const two = std::uint64_t{token} * 2;
  uint4 held[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (first + 2 * i < length) held[i] = *reinterpret_cast<uint4 const*>(from + i * two);
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (first + 2 * i < length) *reinterpret_cast<uint4*>(to + i * two) = held[i];
}
