// Sums of segments of 512 floats, one warp for each. Source: CUB,
// cub/device/device_segmented_reduce.cuh (segments of one size).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_segmented_sum(float const* in, float* sums, unsigned segments) {
  unsigned const segment = blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (segment >= segments) return;
  float4 const* const from =
      reinterpret_cast<float4 const*>(in) + std::uint64_t{segment} * 128 + lane;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float4 const v = from[32 * i];
    sum += v.x;
    sum += v.y;
    sum += v.z;
    sum += v.w;
  }
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if (lane == 0) sums[segment] = sum;
}
