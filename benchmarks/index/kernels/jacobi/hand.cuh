// One Jacobi step on a grid: the mean of the four neighbours, in tiles of 32 x 32 points. Each thread
// has four rows. After PolyBench/GPU, jacobi2D.
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_jacobi(float const* in, float* out, unsigned rows, unsigned columns) {
  unsigned const column = blockIdx.x * 32 + (threadIdx.x & 31) + 1;
  unsigned const row = blockIdx.y * 32 + (threadIdx.x >> 5) * 4 + 1;
  std::uint64_t const at = std::uint64_t{row} * columns + column;
  int const left = column + 1 < columns ? static_cast<int>(rows) - 1 - static_cast<int>(row) : 0;
  float const* p = in + at;
  float* q = out + at;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < left) *q = (p[-1] + p[1] + *(p - columns) + p[columns]) * 0.25f;
    p += columns;
    q += columns;
  }
}
