// C = A B for a batch of 16 x 16 float matrices stored by rows, a warp for each, in tf32 on tensor
// cores. Operands go from global memory to registers. Source: CUTLASS,
// include/cutlass/arch/mma_sm80.h (m16n8k8), as in MAGMA's batched products of small matrices.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_tf32_batch(float const* a, float const* b, float* c, unsigned count) {
  unsigned const matrix = blockIdx.x * 4 + threadIdx.x / 32;
  if (matrix >= count) return;
  unsigned const lane = threadIdx.x % 32;
  std::uint64_t const begin = std::uint64_t{matrix} * 256;
  float const* const pa = a + begin + lane / 4 * 16 + lane % 4;
  float const* const pb = b + begin + lane % 4 * 16 + lane / 4;
  unsigned ra[2][4], rb[2][2][2];
  auto const rounded = [](float v) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return r;
  };
#pragma unroll
  for (int k = 0; k < 2; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) ra[k][i] = rounded(pa[i % 2 * 128 + i / 2 * 4 + k * 8]);
#pragma unroll
    for (int n = 0; n < 2; ++n)
#pragma unroll
      for (int i = 0; i < 2; ++i) rb[k][n][i] = rounded(pb[(k * 8 + i * 4) * 16 + n * 8]);
  }
  float* const pc = c + begin + lane / 4 * 16 + lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    float r[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < 2; ++k)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
          "{%8,%9}, {%0,%1,%2,%3};"
          : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
          : "r"(ra[k][0]), "r"(ra[k][1]), "r"(ra[k][2]), "r"(ra[k][3]), "r"(rb[k][n][0]),
            "r"(rb[k][n][1]));
    *reinterpret_cast<float2*>(pc + n * 8) = make_float2(r[0], r[1]);
    *reinterpret_cast<float2*>(pc + n * 8 + 128) = make_float2(r[2], r[3]);
  }
}
