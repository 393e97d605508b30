// y[b, r] += sum over k of x[b, k] * a[adapter[b], r, k]. One warp computes an element, and a
// request with adapter -1 has none. The rank is a multiple of 4, the columns of 8. Source: punica,
// csrc/bgmv/bgmv_impl.cuh.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_lora_shrink(__half const* x, __half const* a, int const* adapters, float* y,
                     unsigned rank, unsigned columns) {
  using namespace by_hand;
  unsigned const lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
  int const adapter = adapters[blockIdx.y];
  if (adapter < 0) return;
  __half const* p = a + std::uint64_t{adapter * rank + row} * columns + lane * 8;
  __half const* h = x + std::uint64_t{blockIdx.y} * columns + lane * 8;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = lane * 8; k < columns; k += 256) {
    uint4 const w = *reinterpret_cast<uint4 const*>(p), v = *reinterpret_cast<uint4 const*>(h);
    unsigned const left[4] = {w.x, w.y, w.z, w.w}, right[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float2 const f = unpack(left[i]), g = unpack(right[i]);
      sum += f.x * g.x;
      sum += f.y * g.y;
    }
    p += 256, h += 256;
  }
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if (lane == 0) y[blockIdx.y * std::uint64_t{rank} + row] += sum;
}
