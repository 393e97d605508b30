// An epilogue: the 64 x 64 accumulator of four warps plus a bias for each column, cut at 0, in
// halves. Rows are partial at the end. After CUTLASS,
// include/cutlass/epilogue/thread/linear_combination_bias_relu.h.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_bias_relu(float const* sums, float const* bias, __half* out, unsigned rows,
                   unsigned columns) {
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.y * 64 + (t >> 5) * 16 + ((t & 31) >> 2);
  unsigned const column = blockIdx.x * 64 + (t & 3) * 2;
  std::uint64_t const at = std::uint64_t{row} * columns + column;
  std::uint64_t const eight = std::uint64_t{columns} * 8;
  int const left = static_cast<int>(rows) - static_cast<int>(row);
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    if (static_cast<int>(column) + 8 * j >= static_cast<int>(columns)) continue;
    float2 const b = *reinterpret_cast<float2 const*>(bias + column + 8 * j);
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (8 * h < left) {
        float2 const v = *reinterpret_cast<float2 const*>(sums + at + h * eight + 8 * j);
        *reinterpret_cast<unsigned*>(out + at + h * eight + 8 * j) =
            by_hand::pack(fmaxf(v.x + b.x, 0), fmaxf(v.y + b.y, 0));
      }
  }
}
