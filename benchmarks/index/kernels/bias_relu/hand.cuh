// An epilogue: adds a bias to each column of the 64 x 64 accumulator of four warps, replaces
// negative values by 0 and stores halves. The last tiles are partial. Source: CUTLASS,
// include/cutlass/epilogue/thread/linear_combination_bias_relu.h.
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_bias_relu(float const* sums, float const* bias, __half* out, unsigned rows,
                   unsigned columns) {
  using namespace by_hand;
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.y * 64 + (t >> 5) * 16 + ((t & 31) >> 2);
  unsigned const column = blockIdx.x * 64 + (t & 3) * 2;
  unsigned const in_pitch = columns * 4, out_pitch = columns * 2;
  float const* const from = plus_bytes(sums + column, std::uint64_t{row} * in_pitch);
  float const* const below = plus_bytes(from, std::uint64_t{in_pitch} * 8);
  __half* const to = plus_bytes(out + column, std::uint64_t{row} * out_pitch);
  __half* const to_below = plus_bytes(to, std::uint64_t{out_pitch} * 8);
  bias += column;
  bool const first = row < rows, second = row + 8 < rows;
  int const left = static_cast<int>(columns) - static_cast<int>(column);
  each<8>([&](auto j) {
    if (8 * j < left) {
      float2 const b = *reinterpret_cast<float2 const*>(bias + 8 * j);
      auto const one = [&](float const* p, __half* q) {
        float2 const v = *reinterpret_cast<float2 const*>(p + 8 * j);
        *reinterpret_cast<unsigned*>(q + 8 * j) = pack(fmaxf(v.x + b.x, 0), fmaxf(v.y + b.y, 0));
      };
      if (first) one(from, to);
      if (second) one(below, to_below);
    }
  });
}
