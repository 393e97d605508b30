// Attention of one token over the last `window` positions of a ring buffer: position p is in slot
// p mod slots. One warp computes a head of 128 elements. Source: Mistral's rolling buffer cache,
// mistral-inference, src/mistral_inference/cache.py.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_ring_decode(__half const* q, __half const* keys, __half const* values, float* out,
                     unsigned heads, unsigned slots, unsigned length, unsigned window) {
  using namespace by_hand;
  unsigned const lane = threadIdx.x & 31, head = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (head >= heads) return;
  uint2 const qw = *reinterpret_cast<uint2 const*>(q + std::uint64_t{head} * 128 + lane * 4);
  float2 const q0 = unpack(qw.x), q1 = unpack(qw.y);
  std::uint64_t const base = std::uint64_t{head} * slots * 128 + lane * 4;
  __half const *k = keys + base, *v = values + base;
  unsigned const first = length > window ? length - window : 0;
  unsigned slot = first % slots;
  float most = -INFINITY, total = 0, o[4] = {};
#pragma unroll 1
  for (unsigned n = length - first; n != 0; --n) {
    uint2 const kw = *reinterpret_cast<uint2 const*>(k + std::uint64_t{slot} * 128);
    uint2 const vw = *reinterpret_cast<uint2 const*>(v + std::uint64_t{slot} * 128);
    float2 const k0 = unpack(kw.x), k1 = unpack(kw.y), v0 = unpack(vw.x), v1 = unpack(vw.y);
    float s = q0.x * k0.x + q0.y * k0.y + q1.x * k1.x + q1.y * k1.y;
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) s += __shfl_xor_sync(~0u, s, apart);
    float const now = fmaxf(most, s), old = exp2f(most - now), p = exp2f(s - now);
    most = now;
    total = total * old + p;
    o[0] = o[0] * old + p * v0.x, o[1] = o[1] * old + p * v0.y;
    o[2] = o[2] * old + p * v1.x, o[3] = o[3] * old + p * v1.y;
    if (++slot == slots) slot = 0;
  }
  float const scale = 1 / total;
  *reinterpret_cast<float4*>(out + std::uint64_t{head} * 128 + lane * 4) =
      make_float4(o[0] * scale, o[1] * scale, o[2] * scale, o[3] * scale);
}
