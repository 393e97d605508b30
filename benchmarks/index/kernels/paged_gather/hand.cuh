// Gathers a paged cache (pages, 16 tokens, heads, 128) of halves into (batch, tokens, heads, 128).
// A warp has a page and a head; tokens from lengths[b] on are not stored. Source: vLLM,
// csrc/cache_kernels.cu (gather_cache).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_paged_gather(__half const* cache, unsigned const* table, unsigned const* lengths,
                      __half* out, unsigned pages, unsigned heads) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, number = blockIdx.x * 4 + (t >> 5), b = blockIdx.z;
  unsigned const odd = t >> 4 & 1, length = lengths[b];
  int const rest = static_cast<int>(length) - static_cast<int>(number * 16),
            left = rest - static_cast<int>(odd);
  if (rest <= 0) return;
  unsigned const entry = b * pages + number, page = table[entry];
  unsigned const token = heads * 256;  // bytes
  unsigned const column = blockIdx.y * 128 + (t & 15) * 8;
  __half const* from = plus_bytes(cache + column, std::uint64_t{page * 16 + odd} * token);
  __half* to = plus_bytes(out + column, std::uint64_t{entry * 16 + odd} * token);
  std::uint64_t const step = std::uint64_t{token} * 2;
  uint4 held[8];
  // A page is whole in memory, so all of it may be read.
  each<8>([&](auto i) {
    held[i] = *reinterpret_cast<uint4 const*>(from);
    from = plus_bytes(from, step);
  });
  each<8>([&](auto i) {
    if (2 * i < left) *reinterpret_cast<uint4*>(to) = held[i];
    to = plus_bytes(to, step);
  });
}
