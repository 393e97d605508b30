// One pass of radix 4 of a Stockham transform of 4096 complex numbers at distance 64: reads j +
// 1024 r, writes 256 (j / 64) + j % 64 + 64 r. The data have the order of VkFFT and cuFFT. Source:
// Govindaraju et al., "High performance discrete Fourier transforms on graphics processors" (2008).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_fft_stage(float2 const* in, float2* out, float2 const* turns) {
  unsigned const j = (blockIdx.x & 3) * 256 + threadIdx.x, line = blockIdx.x >> 2;
  float2 const* const from = in + (line * 4096 + j);
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float2 const x = from[1024 * r], w = turns[(j & 63) + 64 * r];
    v[r] = make_float2(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
  }
  float2 const a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
  float2 const b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  float2 const c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
  float2 const d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
  float2* const to = out + (line * 4096 + (j & 0x3c0) * 4 + (j & 63));
  to[0] = make_float2(a.x + c.x, a.y + c.y);
  to[64] = make_float2(b.x + d.x, b.y + d.y);
  to[128] = make_float2(a.x - c.x, a.y - c.y);
  to[192] = make_float2(b.x - d.x, b.y - d.y);
}
