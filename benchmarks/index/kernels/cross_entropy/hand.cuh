// The cross entropy of rows of halves, log(sum exp(x)) - x[label], with one warp for each row. Rows
// are multiples of 8. Source: Apex, apex/contrib/csrc/xentropy/xentropy_kernel.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_cross_entropy(__half const* logits, unsigned const* labels, float* losses, unsigned rows,
                       unsigned columns, unsigned pitch) {
  using namespace by_hand;
  unsigned const row = blockIdx.x * 4 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  __half const* const line = plus_bytes(logits, std::uint64_t{row} * (pitch * 2));
  uint4 const* p = reinterpret_cast<uint4 const*>(line) + lane;
  float most = -3e38f, sum = 0;
#pragma unroll 1
  for (unsigned c = lane * 8; c < columns; c += 256, p += 32) {
    uint4 const v = *p;
    float2 const x[4] = {unpack(v.x), unpack(v.y), unpack(v.z), unpack(v.w)};
    float seen = most;
#pragma unroll
    for (int i = 0; i < 4; ++i) seen = fmaxf(fmaxf(seen, x[i].x), x[i].y);
    sum *= exp2f((most - seen) * 1.44269504f);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      sum += exp2f((x[i].x - seen) * 1.44269504f);
      sum += exp2f((x[i].y - seen) * 1.44269504f);
    }
    most = seen;
  }
  float all = most;
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
  asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(all) : "f"(most));
#else
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) all = fmaxf(all, __shfl_xor_sync(~0u, all, apart));
#endif
  sum *= exp2f((most - all) * 1.44269504f);
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if (lane == 0) losses[row] = __logf(sum) + all - __half2float(line[labels[row]]);
}
