// Transposes a row-major matrix of float scales through padded shared memory. A block has 64 rows
// and 32 columns; the last blocks are partial. Source: DeepGEMM,
// deep_gemm/include/deep_gemm/impls/smxx_layout.cuh (transpose_fp32).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_transpose_scales(float const* in, float* out, unsigned rows, unsigned columns) {
  using namespace by_hand;
  __shared__ float staged[64 * 33];
  unsigned const x = threadIdx.x & 31, y = threadIdx.x >> 5;
  unsigned const row = blockIdx.y * 64 + y, column = blockIdx.x * 32 + x;
  unsigned const in_pitch = columns * 4, out_pitch = rows * 4;
  float const* const from = plus_bytes(in + column, std::uint64_t{row} * in_pitch);
  int const left = column < columns ? static_cast<int>(rows) - static_cast<int>(row) : 0;
  float held[8];
  each<8>([&](auto i) {
    if (8 * i < left) held[i] = *plus_steps<8 * i>(from, in_pitch);
  });
#pragma unroll
  for (int i = 0; i < 8; ++i) staged[(y + 8 * i) * 33 + x] = held[i];
  __syncthreads();
  unsigned const across = threadIdx.x & 63, down = threadIdx.x >> 6;
  unsigned const to_row = blockIdx.x * 32 + down, to_column = blockIdx.y * 64 + across;
  float* const to = plus_bytes(out + to_column, std::uint64_t{to_row} * out_pitch);
  int const rest = to_column < rows ? static_cast<int>(columns) - static_cast<int>(to_row) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) held[i] = staged[across * 33 + down + 4 * i];
  each<8>([&](auto i) {
    if (4 * i < rest) *plus_steps<4 * i>(to, out_pitch) = held[i];
  });
}
