// Quantises new keys, (tokens, heads, 128) halves, to int8 with a scale for each token and head,
// and stores them in the slots of a cache. Tokens with a negative slot are skipped. A warp has one
// head.
// Source: LMDeploy, src/turbomind/kernels/attention/kv_cache_utils_v2.cu.
#pragma once

#include "../instructions.cuh"

namespace by_hand {

/// Rounds four floats to int8. ptxas merges rintf, the conversion and the packing of two floats.
__device__ __forceinline__ unsigned round_bytes(float a, float b, float c, float d) {
  unsigned word;
  asm("{.reg .b32 u; cvt.pack.sat.s8.s32.b32 u, %4, %3, 0; cvt.pack.sat.s8.s32.b32 %0, %2, %1, u;}"
      : "=r"(word)
      : "r"(static_cast<int>(rintf(a))), "r"(static_cast<int>(rintf(b))),
        "r"(static_cast<int>(rintf(c))), "r"(static_cast<int>(rintf(d))));
  return word;
}

}  // namespace by_hand

extern "C" __global__ void __launch_bounds__(128)
    hand_append_int8(__half const* keys, int const* slots, std::int8_t* cache, float* scales,
                     unsigned heads, unsigned token_bytes, unsigned slot_bytes,
                     unsigned scale_bytes) {
  using namespace by_hand;
  unsigned const lane = threadIdx.x & 31, head = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (head >= heads) return;
  int const slot = slots[blockIdx.y];
  if (slot < 0) return;
  uint2 const* const from = reinterpret_cast<uint2 const*>(keys) + (head * 32 + lane);
  uint2 const v = *plus_bytes(from, std::uint64_t{blockIdx.y} * token_bytes);
  float2 const p = unpack(v.x), q = unpack(v.y);
  float most = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fmaxf(fabsf(q.x), fabsf(q.y)));
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
  asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(most) : "f"(most));
#else
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
#endif
  most = fmaxf(most, 1e-6f);
  float const by = __fdividef(127, most);
  std::uint64_t const row = static_cast<unsigned>(slot);
  unsigned const word = round_bytes(p.x * by, p.y * by, q.x * by, q.y * by);
  *plus_bytes(reinterpret_cast<unsigned*>(cache) + (head * 32 + lane), row * slot_bytes) = word;
  if (lane == 0) *plus_bytes(scales + head, row * scale_bytes) = most * (1.0f / 127);
}
