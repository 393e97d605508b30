// Transposes scales (rows, columns) of floats to columns first, through padded shared memory. A
// block has 64 rows and 32 columns, partial at the end. After DeepGEMM,
// deep_gemm/include/deep_gemm/impls/smxx_layout.cuh (transpose_fp32).
#pragma once

#include <cstdint>

extern "C" __global__ void __launch_bounds__(256)
    hand_transpose_scales(float const* in, float* out, unsigned rows, unsigned columns) {
  __shared__ float staged[64 * 33];
  unsigned const x = threadIdx.x & 31, y = threadIdx.x >> 5;
  unsigned const row = blockIdx.y * 64 + y, column = blockIdx.x * 32 + x;
  float const* const from = in + std::uint64_t{row} * columns + column;
  int const left = column < columns ? static_cast<int>(rows) - static_cast<int>(row) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (8 * i < left) staged[(y + 8 * i) * 33 + x] = from[std::uint64_t{columns} * (8 * i)];
  __syncthreads();
  unsigned const across = threadIdx.x & 63, down = threadIdx.x >> 6;
  unsigned const to_row = blockIdx.x * 32 + down, to_column = blockIdx.y * 64 + across;
  float* const to = out + std::uint64_t{to_row} * rows + to_column;
  int const rest = to_column < rows ? static_cast<int>(columns) - static_cast<int>(to_row) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (4 * i < rest) to[std::uint64_t{rows} * (4 * i)] = staged[across * 33 + down + 4 * i];
}
