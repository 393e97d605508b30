// y[n] = sum over k of x[k] * (q[n, k] - 8) * scale[n, k / 128]. One warp computes a row, and
// a lane multiplies 32 weights in each step. The columns are a multiple of 1024. Source: AWQ,
// awq/kernels/csrc/quantization/gemv_cuda.cu.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_int4_gemv(unsigned const* q, __half const* scales, __half const* x, float* y,
                   unsigned rows, unsigned columns) {
  using namespace by_hand;
  unsigned const lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (row >= rows) return;
  uint4 const* p = reinterpret_cast<uint4 const*>(q + std::uint64_t{row} * (columns / 8)) + lane;
  __half const* s = scales + std::uint64_t{row} * (columns / 128) + (lane >> 2);
  uint4 const* h = reinterpret_cast<uint4 const*>(x) + lane * 4;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < columns; k += 1024) {
    uint4 const w = *p;
    unsigned const words[4] = {w.x, w.y, w.z, w.w};
    float part = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      uint4 const v = h[i];
      unsigned const pairs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        float2 const f = unpack(pairs[j]);
        part += f.x * (static_cast<int>((words[i] >> (8 * j)) & 15) - 8);
        part += f.y * (static_cast<int>((words[i] >> (8 * j + 4)) & 15) - 8);
      }
    }
    sum += part * __half2float(*s);
    p += 32, s += 8, h += 128;
  }
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if (lane == 0) y[row] = sum;
}
