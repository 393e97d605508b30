// Gathers rows of e4m3 by an index and multiplies each group of 128 columns by its scale, to bf16.
// A thread has 16 columns. The scales are those of act_quant in DeepSeek-V3, inference/kernel.py.
#pragma once

#include "../instructions.cuh"

#include <cuda_bf16.h>

namespace by_hand {

/// Widens bytes 2 * I and 2 * I + 1 of four e4m3 to f16.
template <int I> __device__ __forceinline__ unsigned widen_e4m3(unsigned four) {
  unsigned two;
#if __CUDA_ARCH__ >= 890
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(two) : "h"(static_cast<unsigned short>(four >> 16 * I)));
#else
  // The exponent bias is 7, that of f16 is 15. NaN becomes 480 and then NaN again.
  unsigned const high = __byte_perm(four, 0, I == 0 ? 0x1404 : 0x3424);
  asm("{.reg .b32 size, nan; mul.rn.f16x2 %0, %1, %2; abs.f16x2 size, %0; "
      "set.gt.u32.f16x2 nan, size, %3; lop3.b32 %0, %0, nan, 0x7fff7fff, 0xf8;}"
      : "=r"(two)
      : "r"((high & 0x80008000) | (high >> 1 & 0x3f803f80)), "r"(0x5c005c00), "r"(0x5f005f00));
#endif
  return two;
}
__device__ __forceinline__ unsigned pack_bf16(float low, float high) {
  unsigned word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

}  // namespace by_hand

extern "C" __global__ void __launch_bounds__(128)
    hand_gather_fp8(std::uint8_t const* x, float const* scales, int const* tokens,
                    __nv_bfloat16* out, unsigned columns, unsigned groups) {
  using namespace by_hand;
  unsigned const row = blockIdx.y, column = blockIdx.x * 2048 + threadIdx.x * 16;
  if (column >= columns) return;
  unsigned const token = tokens[row];
  uint4 const v = *reinterpret_cast<uint4 const*>(x + (std::uint64_t{token} * columns + column));
  float const by = scales[std::uint64_t{token} * groups + column / 128];
  unsigned const in[4] = {v.x, v.y, v.z, v.w};
  unsigned scaled[2][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float2 const low = unpack(widen_e4m3<0>(in[i])), high = unpack(widen_e4m3<1>(in[i]));
    scaled[i / 2][i % 2 * 2] = pack_bf16(low.x * by, low.y * by);
    scaled[i / 2][i % 2 * 2 + 1] = pack_bf16(high.x * by, high.y * by);
  }
  __nv_bfloat16* const to = out + (std::uint64_t{row} * columns + column);
  store(to, scaled[0]);
  store(to + 8, scaled[1]);
}
