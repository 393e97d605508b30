// The softmax of rows of halves that do not fit in shared memory. A block reads its row twice: for
// the maximum with the sum, and for the results. Rows are multiples of 8. Source: PyTorch,
// aten/src/ATen/native/cuda/SoftMax.cu, with the online sum of "Online normalizer calculation for
// softmax" (Milakov, Gimelshein).
#pragma once

#include "../instructions.cuh"

namespace by_hand {
/// Adds the sum of another thread, `other`. Sums are relative to 2^maximum.
__device__ __forceinline__ void add_sum(float2& sum, float2 other) {
  float const most = fmaxf(sum.x, other.x);
  sum = {most, sum.y * exp2f(sum.x - most) + other.y * exp2f(other.x - most)};
}
template <int Lanes> __device__ __forceinline__ void add_lanes(float2& sum) {
#pragma unroll
  for (int apart = Lanes / 2; apart > 0; apart /= 2)
    add_sum(sum, {__shfl_xor_sync(~0u, sum.x, apart), __shfl_xor_sync(~0u, sum.y, apart)});
}
}  // namespace by_hand

extern "C" __global__ void __launch_bounds__(512)
    hand_long_softmax(__half const* in, __half* out, unsigned columns, unsigned pitch) {
  using namespace by_hand;
  __shared__ float2 of_warps[16];
  constexpr float log2e = 1.44269504f;
  unsigned const t = threadIdx.x;
  std::uint64_t const row = std::uint64_t{blockIdx.x} * (pitch * 2);
  uint4 const* const from = plus_bytes(reinterpret_cast<uint4 const*>(in), row);
  uint4* const to = plus_bytes(reinterpret_cast<uint4*>(out), row);
  float2 sum{-3e38f, 0};
#pragma unroll 1
  for (unsigned i = t; i < columns / 8; i += 512) {
    uint4 const v = from[i];
    float2 x[4] = {unpack(v.x), unpack(v.y), unpack(v.z), unpack(v.w)};
    float most = sum.x;
#pragma unroll
    for (float2& pair : x) {
      pair = {pair.x * log2e, pair.y * log2e};
      most = fmaxf(fmaxf(most, pair.x), pair.y);
    }
    sum = {most, sum.y * exp2f(sum.x - most)};
#pragma unroll
    for (float2 const& pair : x) {
      sum.y += exp2f(pair.x - most);
      sum.y += exp2f(pair.y - most);
    }
  }
  add_lanes<32>(sum);
  if ((t & 31) == 0) of_warps[t >> 5] = sum;
  __syncthreads();
  sum = of_warps[t & 15];
  add_lanes<16>(sum);
  float const most = sum.x, by = __fdividef(1, sum.y);
#pragma unroll 1
  for (unsigned i = t; i < columns / 8; i += 512) {
    uint4 const v = from[i];
    float2 const x[4] = {unpack(v.x), unpack(v.y), unpack(v.z), unpack(v.w)};
    unsigned word[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      word[k] = pack(exp2f(x[k].x * log2e - most) * by, exp2f(x[k].y * log2e - most) * by);
    store(to + i, word);
  }
}
