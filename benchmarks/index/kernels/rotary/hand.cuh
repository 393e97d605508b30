// Rotary embedding of neighbouring pairs in a (batch, head, token, 128) tensor of halves with
// run-time strides; cosines and sines in tables of (token, 64). A block has eight tokens. Source:
// vLLM, csrc/pos_encoding_kernels.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_rotary(__half const* x, __half* y, float const* cosines, float const* sines,
                unsigned tokens, unsigned xb, unsigned xh, unsigned xt, unsigned yb, unsigned yh,
                unsigned yt) {
  using namespace by_hand;
  unsigned const t = threadIdx.x, token = blockIdx.x * 8 + (t >> 4), column = (t & 15) * 8;
  if (token >= tokens) return;
  std::uint64_t const from =
      std::uint64_t{blockIdx.z} * xb + std::uint64_t{blockIdx.y} * xh + std::uint64_t{token} * xt;
  std::uint64_t const to =
      std::uint64_t{blockIdx.z} * yb + std::uint64_t{blockIdx.y} * yh + std::uint64_t{token} * yt;
  unsigned const angle = blockIdx.x * 512 + t * 4;  // token * 64 + column / 2
  uint4 const v = *reinterpret_cast<uint4 const*>(x + (from + column));
  float4 const c4 = *reinterpret_cast<float4 const*>(cosines + angle);
  float4 const s4 = *reinterpret_cast<float4 const*>(sines + angle);
  unsigned const in[4] = {v.x, v.y, v.z, v.w};
  float const c[4] = {c4.x, c4.y, c4.z, c4.w}, s[4] = {s4.x, s4.y, s4.z, s4.w};
  unsigned turned[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float2 const p = unpack(in[i]);
    turned[i] = pack(p.x * c[i] - p.y * s[i], p.x * s[i] + p.y * c[i]);
  }
  store(y + (to + column), turned);
}
