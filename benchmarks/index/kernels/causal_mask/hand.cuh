// Masks the 64 x 64 accumulator of a score matrix: column > row is minus infinity. After
// FlashAttention 2, csrc/flash_attn/src/mask.h (Mask::apply_mask).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128) hand_causal_mask(float* scores, unsigned pitch) {
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.y * 64 + (t >> 5) * 16 + ((t & 31) >> 2);
  unsigned const column = blockIdx.x * 64 + (t & 3) * 2;
  float* const s = scores + static_cast<std::uint64_t>(row) * pitch + column;
  int const left = static_cast<int>(row) - static_cast<int>(column);
#pragma unroll
  for (int h = 0; h < 2; ++h)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float2* const p =
          reinterpret_cast<float2*>(s + static_cast<std::uint64_t>(pitch) * (8 * h) + 8 * j);
      float2 v = *p;
      if (8 * j > left + 8 * h) v.x = -INFINITY;
      if (8 * j + 1 > left + 8 * h) v.y = -INFINITY;
      *p = v;
    }
}
