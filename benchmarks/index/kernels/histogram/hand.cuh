// Counts the values of bytes: 16 bytes for each thread and step. The bins of a block are in shared
// memory. Source: CUB, cub/agent/agent_histogram.cuh.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_histogram(unsigned char const* in, unsigned* bins, unsigned vectors) {
  __shared__ unsigned block_bins[256];
  unsigned const t = threadIdx.x;
  block_bins[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (unsigned i = blockIdx.x * 256 + t; i < vectors; i += gridDim.x * 256) {
    uint4 const v = reinterpret_cast<uint4 const*>(in)[i];
    unsigned const w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(block_bins + ((w[k / 4] >> (8 * (k % 4))) & 255), 1u);
  }
  __syncthreads();
  atomicAdd(bins + t, block_bins[t]);
}
