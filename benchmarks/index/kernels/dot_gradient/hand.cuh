// Sums dO * O over rows of 128 halves, with 16 lanes for each row. Source: FlashAttention 2,
// csrc/flash_attn/src/flash_bwd_preprocess_kernel.h (dot_do_o).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_dot_gradient(__half const* gradient, __half const* out, float* sums, unsigned rows,
                      unsigned pitch) {
  unsigned const t = threadIdx.x, row = blockIdx.x * 8 + (t >> 4);
  float sum = 0;
  if (row < rows) {
    std::uint64_t const at = std::uint64_t{row} * pitch + (t & 15) * 8;
    uint4 const g = *reinterpret_cast<uint4 const*>(gradient + at);
    uint4 const o = *reinterpret_cast<uint4 const*>(out + at);
    unsigned const x[4] = {g.x, g.y, g.z, g.w}, y[4] = {o.x, o.y, o.z, o.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float2 const u = by_hand::unpack(x[i]), v = by_hand::unpack(y[i]);
      sum += u.x * v.x;
      sum += u.y * v.y;
    }
  }
#pragma unroll
  for (int apart = 8; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if ((t & 15) == 0 && row < rows) sums[row] = sum;
}
