// One Jacobi step on a grid: the mean of the four neighbours, in tiles of 32 x 32 points. Each
// thread computes four points of a column. Source: PolyBench/GPU, jacobi2D.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hand_jacobi(float const* in, float* out, unsigned rows, unsigned columns) {
  using namespace by_hand;
  unsigned const column = blockIdx.x * 32 + (threadIdx.x & 31) + 1;
  unsigned const row = blockIdx.y * 32 + (threadIdx.x >> 5) * 4 + 1;
  if (column + 1 >= columns) return;
  unsigned const pitch = columns * 4;
  std::uint64_t const at = std::uint64_t{row} * pitch;
  int const rows_left = static_cast<int>(rows) - 1 - static_cast<int>(row);
  float const* const p = plus_bytes(in + column, at);
  float* const q = plus_bytes(out + column, at);
  each<4>([&](auto i) {
    auto const row_at = [&](int k) {
      return plus_bytes(p, k < 0 ? -std::uint64_t{pitch} : std::uint64_t{pitch} * k);
    };
    float const* const here = row_at(i);
    if (i < rows_left)
      *plus_bytes(q, std::uint64_t{pitch} * i) =
          (here[-1] + here[1] + *row_at(i - 1) + *row_at(i + 1)) * 0.25f;
  });
}
