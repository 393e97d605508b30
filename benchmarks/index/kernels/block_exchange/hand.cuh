// Converts the striped arrangement (thread t has items t, t + 128, ...) to the blocked one (8 t to
// 8 t + 7) through padded shared memory. Each thread stores the running sums of its items. Source:
// CUB, cub/block/block_exchange.cuh (StripedToBlocked, INSERT_PADDING).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_block_exchange(unsigned const* in, unsigned* out) {
  __shared__ unsigned staged[1024 + 32];
  unsigned const t = threadIdx.x, padded = t + (t >> 5);
  unsigned const* const from = in + (blockIdx.x * 1024 + t);
#pragma unroll
  for (int i = 0; i < 8; ++i) staged[padded + 132 * i] = from[128 * i];
  __syncthreads();
  unsigned const first = t * 8 + (t >> 2);
  unsigned sum[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) sum[i] = staged[first + i] + (i > 0 ? sum[i - 1] : 0);
  uint4* const to = reinterpret_cast<uint4*>(out + (blockIdx.x * 1024 + t * 8));
  to[0] = make_uint4(sum[0], sum[1], sum[2], sum[3]);
  to[1] = make_uint4(sum[4], sum[5], sum[6], sum[7]);
}
