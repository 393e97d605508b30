// Masks a 64 x 64 tile of a score matrix: elements with column > row become minus infinity. Source:
// FlashAttention 2, csrc/flash_attn/src/mask.h (Mask::apply_mask).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128) hand_causal_mask(float* scores, unsigned pitch) {
  using by_hand::plus_bytes;
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.y * 64 + (t >> 5) * 16 + ((t & 31) >> 2);
  unsigned const column = blockIdx.x * 64 + (t & 3) * 2, bytes = pitch * 4;
  float* const s = plus_bytes(scores + column, std::uint64_t{row} * bytes);
  int const left = static_cast<int>(row) - static_cast<int>(column);
#pragma unroll
  for (int h = 0; h < 2; ++h)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float2* const p =
          reinterpret_cast<float2*>(plus_bytes(s, std::uint64_t{bytes} * (8 * h))) + 4 * j;
      float2 v = *p;
      if (8 * j - 8 * h > left) v.x = -INFINITY;
      if (8 * j - 8 * h + 1 > left) v.y = -INFINITY;
      *p = v;
    }
}
