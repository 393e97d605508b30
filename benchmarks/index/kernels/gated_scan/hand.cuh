// Gated linear attention: S = diag(g[t]) S + k[t] v[t]^T and o[t] = q[t] S, with S of 64 x 64 in
// the registers of 64 threads. Chunks of 16 steps are staged. Source: flash-linear-attention,
// fla/ops/gla/fused_recurrent.py.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(64)
    hand_gated_scan(float const* q, float const* k, float const* g, float const* v, float* o,
                    unsigned steps) {
  __shared__ __align__(16) float staged[3][16][64];
  std::uint64_t const head = std::uint64_t{blockIdx.x} * steps * 64;
  unsigned const t = threadIdx.x, row = t / 16, column = t % 16 * 4;
  float s[64] = {};
  float const* from[3] = {q + head, k + head, g + head};
  float const* pv = v + head + t;
  float* po = o + head + t;
#pragma unroll 1
  for (unsigned begin = 0; begin < steps; begin += 16) {
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (begin + row + 4 * i < steps)
          *reinterpret_cast<float4*>(&staged[j][row + 4 * i][column]) =
              *reinterpret_cast<float4 const*>(from[j] + std::uint64_t{begin + row} * 64 +
                                               i * 256 + column);
    __syncthreads();
    unsigned const n = min(16u, steps - begin);
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
      float const value = *pv;
      float sum = 0;
#pragma unroll
      for (int r = 0; r < 64; ++r) {
        s[r] = s[r] * staged[2][i][r] + staged[1][i][r] * value;
        sum += staged[0][i][r] * s[r];
      }
      *po = sum;
      pv += 64, po += 64;
    }
  }
}
