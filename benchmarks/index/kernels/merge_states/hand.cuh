// Merges two attention states of a row: v = (va 2^(sa - m) + vb 2^(sb - m)) / (2^(sa-m) +
// 2^(sb-m)). Thirty-two threads per row of 128 floats. Source: FlashInfer,
// include/flashinfer/attention/cascade.cuh (MergeStateKernel).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_merge_states(float const* va, float const* sa, float const* vb, float const* sb,
                      float* out, unsigned rows) {
  unsigned const row = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (row >= rows) return;
  std::uint64_t const at = std::uint64_t{row} * 32 + (threadIdx.x & 31);
  float const s = sa[row], u = sb[row], most = fmaxf(s, u);
  float const x = exp2f(s - most), y = exp2f(u - most), by = 1 / (x + y);
  float const left = x * by, right = y * by;
  float4 const v = reinterpret_cast<float4 const*>(va)[at];
  float4 const w = reinterpret_cast<float4 const*>(vb)[at];
  reinterpret_cast<float4*>(out)[at] =
      make_float4(v.x * left + w.x * right, v.y * left + w.y * right, v.z * left + w.z * right,
                  v.w * left + w.w * right);
}
