// Scales the rows of a 64 x 64 accumulator by exp2(old - new maximum). Source: FlashAttention 2,
// csrc/flash_attn/src/softmax.h (Softmax::softmax_rescale_o).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_softmax_rescale(float* out, float const* before, float const* now, unsigned pitch) {
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.x * 64 + (t >> 5) * 16 + ((t & 31) >> 2);
  float* const o = by_hand::plus_bytes(out + (t & 3) * 2, std::uint64_t{row} * (pitch * 4));
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float const scale = exp2f((before + row)[8 * h] - (now + row)[8 * h]);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float2* const p =
          reinterpret_cast<float2*>(by_hand::plus_bytes(o, std::uint64_t{pitch * 4} * (8 * h))) +
          4 * j;
      float2 const v = *p;
      *p = make_float2(v.x * scale, v.y * scale);
    }
  }
}
