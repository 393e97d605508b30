// Inclusive prefix sums of rows of 1024 floats, a block for each row. Source: CUB,
// cub/block/block_scan.cuh.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256) hand_row_scan(float const* in, float* out) {
  __shared__ float totals[8];
  unsigned const t = threadIdx.x, lane = t & 31, warp = t >> 5;
  std::uint64_t const at = std::uint64_t{blockIdx.x} * 1024 + t * 4;
  float4 v = *reinterpret_cast<float4 const*>(in + at);
  v.y += v.x, v.z += v.y, v.w += v.z;
  float sum = v.w;
#pragma unroll
  for (int apart = 1; apart < 32; apart *= 2) {
    float const other = __shfl_up_sync(~0u, sum, apart);
    if (lane >= apart) sum += other;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  float before = __shfl_up_sync(~0u, sum, 1);
  if (lane == 0) before = 0;
#pragma unroll
  for (int w = 0; w < 7; ++w)
    if (w < warp) before += totals[w];
  *reinterpret_cast<float4*>(out + at) =
      make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}
