// Root-mean-square normalisation of rows, y = x * w / sqrt(mean(x^2) + epsilon). A block of 256
// threads reads a row once, keeps it in registers, and writes it once. Bytes is the width of an
// access. Columns, a multiple of 2048, is the length of the longest row that the block's registers
// can hold.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>

using axe::axis;
using bf16 = __nv_bfloat16;

/// The length of a row is a multiple of Bytes.
template <class T, int Bytes> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<Bytes>>;

/// Thread t has 8 adjacent elements of each 2048.
template <int Columns>
using by_threads =
    axe::carrier<axe::S({Columns / 2048, 256, 8}, {8 * axis::reg, 1 * axis::tid, 1 * axis::reg})>;

template <int Columns, int Bytes>
__global__ void __launch_bounds__(256)
    rms_norm(matrix<bf16 const, Bytes> in, matrix<bf16 const, Bytes> weights,
             matrix<bf16, Bytes> out, float epsilon) {
  using row = axe::extents<1, Columns>;
  axe::fragment<bf16, by_threads<Columns>, row> x, w;
  axe::fragment<float, by_threads<Columns>, row> value, weight;
  __shared__ axe::reduce_scratch<decltype(value), 1> scratch;
  axe::reduced<decltype(value), 1> sum;

  auto const block = axe::cta<256>;
  // Rows with an odd number of elements only allow accesses of 2 bytes.
  constexpr axe::copy_how how{.allows_slow = Bytes < 4};
  auto const from = axe::tile<1, Columns>(in, axe::block_x(), 0);
  axe::copy<axe::zero_fill | how>(from, x, block);
  axe::copy<axe::zero_fill | how>(axe::tile<1, Columns>(weights, 0, 0), w, block);
  axe::cast(x, value);
  axe::cast(w, weight);
  axe::elementwise([](float v) { return v * v; }, value, value);
  axe::reduce<1>(axe::plus{}, value, sum, scratch, block);
  auto const columns = static_cast<float>(axe::extent<1>(in));
  float const scale = rsqrtf(sum[0] / columns + epsilon);
  axe::cast(x, value);
  axe::elementwise([&](float v, float by) { return v * scale * by; }, value, value, weight);
  axe::cast(value, x);
  axe::copy<how>(x, axe::tile<1, Columns>(out, axe::block_x(), 0), block);
}
