// Sums the partial products of split-K, (splits, rows, columns) floats, into (rows, columns). Four
// floats per thread, a loop over the splits. Source: CUTLASS,
// include/cutlass/reduction/kernel/reduce_split_k.h.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(128)
    hand_split_k_sum(float const* partial, float* out, unsigned splits, unsigned rows,
                     unsigned columns) {
  unsigned const row = blockIdx.y * 4 + (threadIdx.x >> 5);
  unsigned const column = blockIdx.x * 128 + (threadIdx.x & 31) * 4;
  if (row >= rows || column >= columns) return;
  std::uint64_t const at = std::uint64_t{row} * columns + column;
  std::uint64_t const step = std::uint64_t{rows} * columns;
  float const* from = partial + at;
  float4 sum = {};
#pragma unroll 1
  for (unsigned s = 0; s < splits; ++s) {
    float4 const v = *reinterpret_cast<float4 const*>(from);
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    from += step;
  }
  *reinterpret_cast<float4*>(out + at) = sum;
}
