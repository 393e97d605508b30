// Products of 4-bit weights and up to eight tokens on tensor cores. The weights are the operand A:
// each lane loads the registers of four instructions as one vector, as in Marlin
// (marlin/marlin_cuda_kernel.cu). A block of four warps has 16 rows of weights. The warps share the
// groups of 64 columns, each with a scale for each row. The zero point is 8.
#pragma once

#include "../instructions.cuh"

namespace int4_mma {
/// Bits 0 to 3 and bits 16 to 19 of the word as two halves, minus 8.
__device__ __forceinline__ unsigned dequantise(unsigned word) {
  unsigned halves;
  asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(halves) : "r"(word));
  __half2 const both = __hsub2(reinterpret_cast<__half2 const&>(halves),
                               __half2half2(__ushort_as_half(0x6408)));  // 1024 + 8
  return reinterpret_cast<unsigned const&>(both);
}
}  // namespace int4_mma

extern "C" __global__ void __launch_bounds__(128)
    hand_int4_mma(__half const* x, uint4 const* weights, __half const* scales, __half* out,
                  unsigned rows, unsigned columns, unsigned tokens) {
  using namespace by_hand;
  __shared__ float4 parts[128];
  unsigned const t = threadIdx.x, lane = t & 31, warp = t >> 5, high = lane >> 2, low = lane & 3;
  unsigned const groups = columns / 64;
  uint4 const* w = weights + std::uint64_t{(blockIdx.x * groups + warp) * 32 + lane};
  __half const* from = x + std::uint64_t{high * columns + warp * 64 + low * 16};
  __half const* scale = scales + std::uint64_t{warp * rows + blockIdx.x * 16 + high};
  float c[4] = {};
#pragma unroll 1
  for (unsigned k = warp; k < groups; k += 4) {
    uint4 const q = *w;
    uint4 first = {}, second = {};
    if (high < tokens) {
      first = reinterpret_cast<uint4 const*>(from)[0];
      second = reinterpret_cast<uint4 const*>(from)[1];
    }
    float const s = __half2float(scale[0]), s_of_8 = __half2float(scale[8]);
    unsigned const words[4] = {q.x, q.y, q.z, q.w};
    unsigned const b[8] = {first.x,  first.y,  first.z,  first.w,
                           second.x, second.y, second.z, second.w};
    float part[4] = {};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      unsigned const a[4] = {int4_mma::dequantise(words[j]), int4_mma::dequantise(words[j] >> 4),
                             int4_mma::dequantise(words[j] >> 8),
                             int4_mma::dequantise(words[j] >> 12)};
      mma(part, a, b[2 * j], b[2 * j + 1]);
    }
    c[0] += part[0] * s;
    c[1] += part[1] * s;
    c[2] += part[2] * s_of_8;
    c[3] += part[3] * s_of_8;
    w += 4 * 32;
    from += 4 * 64;
    scale += 4 * std::uint64_t{rows};
  }
  parts[t] = make_float4(c[0], c[1], c[2], c[3]);
  __syncthreads();
  // Each thread adds up one element: register t mod 4 of lane t / 4.
  float const* const sums = &parts[0].x + t;
  float const sum = sums[0] + sums[128] + sums[256] + sums[384];
  unsigned const row = (t >> 4) + (t & 2) * 4, token = (t >> 2 & 3) * 2 + (t & 1);
  if (token < tokens) out[std::uint64_t{token * rows + blockIdx.x * 16 + row}] = __float2half(sum);
}
