// Adds the partial outputs of the splits of a row. The weight of a split is exp2(s - r), where s is
// its log-sum and r that of the row. A warp has a row of 128 columns. Source: FlashAttention 2,
// csrc/flash_attn/src/flash_fwd_kernel.h (combine_attn_seqk_parallel).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_combine_splits(float const* partial, float const* sums, float const* sum, float* out,
                        unsigned splits, unsigned rows) {
  unsigned const row = blockIdx.x * 4 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  float const all = sum[row];
  float4 const* from = reinterpret_cast<float4 const*>(partial) + std::uint64_t{row} * 32 + lane;
  float const* at = sums + row;
  float4 c = {};
#pragma unroll 1
  for (unsigned s = 0; s < splits; ++s) {
    float const weight = exp2f(*at - all);
    float4 const v = *from;
    c.x += weight * v.x;
    c.y += weight * v.y;
    c.z += weight * v.z;
    c.w += weight * v.w;
    from += std::uint64_t{rows} * 32;
    at += rows;
  }
  reinterpret_cast<float4*>(out)[std::uint64_t{row} * 32 + lane] = c;
}
