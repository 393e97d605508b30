// Adds halves of eight GPUs, with flags in the memory of each GPU. Each block waits for the same
// block of the other GPUs. Sizes are multiples of 8. Source: vLLM, csrc/custom_all_reduce.cuh
// (cross_device_reduce_1stage).
#pragma once

#include "../instructions.cuh"

namespace by_hand {
struct peers {
  __half const* data[8];
  unsigned* flags[8];
};
}  // namespace by_hand

extern "C" __global__ void __launch_bounds__(256)
    hand_all_reduce(__grid_constant__ by_hand::peers const peers, __half* out, unsigned size,
                    unsigned rank, unsigned epoch) {
  using namespace by_hand;
  unsigned const t = threadIdx.x;
  if (t < 8) {
    unsigned* const to = peers.flags[t] + (blockIdx.x * 8 + rank);
    unsigned const* const from = peers.flags[rank] + (blockIdx.x * 8 + t);
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(to), "r"(epoch) : "memory");
    unsigned seen;
    do {
      asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(from) : "memory");
    } while (seen < epoch);
  }
  __syncthreads();
#pragma unroll 1
  for (unsigned i = (blockIdx.x * 256 + t) * 8; i < size; i += gridDim.x * 2048) {
    uint4 v[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) v[r] = *reinterpret_cast<uint4 const*>(peers.data[r] + i);
    float2 sum[4] = {unpack(v[0].x), unpack(v[0].y), unpack(v[0].z), unpack(v[0].w)};
#pragma unroll
    for (int r = 1; r < 8; ++r) {
      float2 const x[4] = {unpack(v[r].x), unpack(v[r].y), unpack(v[r].z), unpack(v[r].w)};
#pragma unroll
      for (int k = 0; k < 4; ++k) sum[k] = sum_of(sum[k], x[k]);
    }
    unsigned word[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) word[k] = pack(sum[k].x, sum[k].y);
    store(out + i, word);
  }
}
