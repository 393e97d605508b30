// Softmax of rows, y = exp(x - max) / sum exp(x - max), with one warp for each row and eight rows
// for each block. The row stays in registers. `reduce` computes the maximum and the sum of a row,
// and `elementwise` broadcasts them to the row. Columns is the length of the longest row, and
// a multiple of 128.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using axe::axis;
using axe::carrier;

/// The length of a row is a multiple of Bytes, 16 or 4. With 16, an access has four elements.
template <class T, int Bytes> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<Bytes>>;

/// The lowest float. It replaces the elements past the end of a row.
inline constexpr float lowest = -3.40282347e38f;

/// Eight warps with one row each; a lane has 4 adjacent elements of each 128.
template <int Columns>
using by_warps = carrier<axe::S({8, Columns / 128, 32, 4},
                                {32 * axis::tid, 4 * axis::reg, 1 * axis::tid, 1 * axis::reg})>;

template <int Columns, int Bytes>
__global__ void __launch_bounds__(256)
    softmax(matrix<float const, Bytes> in, matrix<float, Bytes> out) {
  axe::fragment<float, by_warps<Columns>, axe::extents<8, Columns>> x;
  axe::reduced<decltype(x), 1> largest, sum;
  auto const from = axe::tile<8, Columns>(in, axe::block_x(), 0);
  axe::copy<axe::zero_fill>(from, x, axe::cta<256>);

  auto const thread_tile = axe::local_partition<by_warps<Columns>>(from, axe::thread_id());
  axe::for_each_register<x.size>([&](auto r) { x[r] = thread_tile.in_bounds(r) ? x[r] : lowest; });
  axe::reduce<1>(axe::maximum{}, x, largest, axe::cta<256>);
  axe::elementwise([](float v, float m) { return exp2f((v - m) * 1.44269504f); }, x, x, largest);
  axe::reduce<1>(axe::plus{}, x, sum, axe::cta<256>);
  axe::elementwise([](float s) { return 1 / s; }, sum, sum);
  axe::elementwise([](float v, float by) { return v * by; }, x, x, sum);
  axe::copy(x, axe::tile<8, Columns>(out, axe::block_x(), 0), axe::cta<256>);
}
