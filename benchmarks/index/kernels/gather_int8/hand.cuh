// Gathers rows of a cache of int8, (slots, heads, 128), with a scale for each slot and head, to
// (tokens, heads, 128) halves. A thread has 16 columns. Source: LMDeploy,
// src/turbomind/kernels/attention/kv_cache_utils_v2.cu (flattenKV).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_gather_int8(std::int8_t const* cache, float const* scales, unsigned const* slots,
                     __half* out, unsigned heads, unsigned slot_bytes, unsigned scale_bytes,
                     unsigned token_bytes) {
  using namespace by_hand;
  unsigned const head = blockIdx.x * 16 + (threadIdx.x >> 3), chunk = threadIdx.x & 7;
  if (head >= heads) return;
  unsigned const slot = slots[blockIdx.y];
  uint4 const* const from = reinterpret_cast<uint4 const*>(cache) + (head * 8 + chunk);
  uint4 const v = *plus_bytes(from, std::uint64_t{slot} * slot_bytes);
  float const by = *plus_bytes(scales + head, std::uint64_t{slot} * scale_bytes);
  unsigned const in[4] = {v.x, v.y, v.z, v.w};
  unsigned scaled[2][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float2 const low = product_of({byte_of<0>(in[i]), byte_of<1>(in[i])}, {by, by});
    float2 const high = product_of({byte_of<2>(in[i]), byte_of<3>(in[i])}, {by, by});
    scaled[i / 2][i % 2 * 2] = pack(low.x, low.y);
    scaled[i / 2][i % 2 * 2 + 1] = pack(high.x, high.y);
  }
  __half* const to =
      plus_bytes(out + (head * 128 + chunk * 16), std::uint64_t{blockIdx.y} * token_bytes);
  store(to, scaled[0]);
  store(to + 8, scaled[1]);
}
