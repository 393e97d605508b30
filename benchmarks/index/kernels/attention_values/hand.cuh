// O = exp2(S - max) V of a 64 x 64 block of scores and 128 columns of V. The accumulators of S
// become the A operand without shuffles. V is loaded by ldmatrix.trans from swizzled shared memory.
// Source: FlashAttention 2, csrc/flash_attn/src/flash_fwd_kernel.h (the second product).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_attention_values(float const* scores, float const* largest, __half const* values,
                          float* out, unsigned pitch) {
  using namespace by_hand;
  __shared__ alignas(1024) __half staged[2][64 * 64];  // columns 0 to 63, and 64 to 127
  unsigned const t = threadIdx.x, lane = t & 31, warp = t >> 5;
  unsigned const base = shared_address(staged);
  {
    unsigned const row = t >> 3, chunk = t & 7;
    __half const* const from =
        values + static_cast<std::uint64_t>(blockIdx.x * 64 + row) * pitch + chunk * 8;
    unsigned const to = base + row * 128 + ((chunk ^ (row & 7)) << 4);
    each<4>([&](auto i) {
      __half const* const row_of = from + std::uint64_t{pitch} * (16 * i);
      cp_async<i * 2048>(to, row_of);
      cp_async<i * 2048 + 8192>(to, row_of + 64);
    });
    commit();
  }
  unsigned const row = warp * 16 + (lane >> 2), column = (lane & 3) * 2;
  float const* const s = scores + (blockIdx.x * 64 + row) * std::uint64_t{64} + column;
  float const high = largest[blockIdx.x * 64 + row], low = largest[blockIdx.x * 64 + row + 8];
  unsigned a[4][4];
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    float2 const x = *reinterpret_cast<float2 const*>(s + 8 * j);
    float2 const y = *reinterpret_cast<float2 const*>(s + 8 * 64 + 8 * j);
    a[j / 2][j % 2 * 2] = pack(exp2f(x.x - high), exp2f(x.y - high));
    a[j / 2][j % 2 * 2 + 1] = pack(exp2f(y.x - low), exp2f(y.y - low));
  }
  wait<0>();
  __syncthreads();
  float c[16][4] = {};
  unsigned const first = base + (lane & 15) * 128 + (((lane >> 4) ^ (lane & 7)) << 4);
  each<4>([&](auto k) {
    each<8>([&](auto n) {
      unsigned b[4];
      ldmatrix_trans<k * 2048 + (n >> 2) * 8192>(b, first ^ ((n & 3) << 5));
      mma(c[2 * n], a[k], b[0], b[1]);
      mma(c[2 * n + 1], a[k], b[2], b[3]);
    });
  });
  float* const to = out + (blockIdx.x * 64 + row) * std::uint64_t{128} + column;
#pragma unroll
  for (int n = 0; n < 16; ++n) {
    *reinterpret_cast<float2*>(to + 8 * n) = make_float2(c[n][0], c[n][1]);
    *reinterpret_cast<float2*>(to + 8 * 128 + 8 * n) = make_float2(c[n][2], c[n][3]);
  }
}
