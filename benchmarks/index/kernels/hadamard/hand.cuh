// Hadamard transform of rows of 256 halves, one warp for each. A lane has eight columns. Source:
// Dao-AILab, csrc/fast_hadamard_transform_cuda.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_hadamard(__half const* x, __half* y, unsigned rows) {
  using namespace by_hand;
  unsigned const row = blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  std::uint64_t const at = std::uint64_t{row} * 256 + lane * 8;
  uint4 const in = *reinterpret_cast<uint4 const*>(x + at);
  float2 const p[4] = {unpack(in.x), unpack(in.y), unpack(in.z), unpack(in.w)};
  float v[8] = {p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y};
#pragma unroll
  for (int d = 1; d < 8; d *= 2)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if ((i & d) == 0) {
        float const a = v[i], b = v[i + d];
        v[i] = a + b;
        v[i + d] = a - b;
      }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    float const sign = lane & d ? -1.f : 1.f;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = fmaf(sign, v[i], __shfl_xor_sync(~0u, v[i], d));
  }
  unsigned out[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) out[i] = pack(v[2 * i] * 0.0625f, v[2 * i + 1] * 0.0625f);
  store(y + at, out);
}
