// Root-mean-square normalisation of rows, y = x * w / sqrt(mean(x^2) + epsilon): a block of 256
// threads a row, which stays in registers between its one read and its one write. Bytes is the
// widest access that the rows allow; Columns, a multiple of 2048, is how many a block has registers
// for.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>

using axe::given;

using axe::axis;
using bf16 = __nv_bfloat16;

/// Rows, columns, and a distance between rows: the last two are multiples of what an access takes.
inline constexpr axe::integer most = 1 << 24;
template <int Bytes>
using matrix = axe::pitched<given(0).below(most), given(1).multiple_of(Bytes / 2).below(most),
                            given(2).multiple_of(Bytes / 2).below(most)>;
template <class T, int Bytes> using view = axe::global_view<T, matrix<Bytes>, Bytes>;

/// Thread t holds 8 neighbours of each 2048.
template <int Columns>
using by_threads =
    axe::carrier<axe::S({Columns / 2048, 256, 8}, {8 * axis::reg, 1 * axis::tid, 1 * axis::reg})>;

template <int Columns, int Bytes>
__global__ void __launch_bounds__(256)
    rms_norm(view<bf16 const, Bytes> in,  //
             view<bf16 const, Bytes> weights, view<bf16, Bytes> out, float epsilon) {
  using row = axe::extents<1, Columns>;
  axe::fragment<bf16, by_threads<Columns>, row> x, w;
  axe::fragment<float, by_threads<Columns>, row> value, weight;
  __shared__ axe::reduce_scratch<decltype(value), 1> scratch;
  axe::reduced<decltype(value), 1> sum;

  auto const block = axe::every<256>;
  auto const first = axe::constant<0>{};
  auto const from = in.template tile<1, Columns>(axe::block_x(), first);
  axe::copy<axe::zero_outside>(from, x, block);
  axe::copy<axe::zero_outside>(weights.template tile<1, Columns>(first, first), w, block);
  axe::cast(x, value);
  axe::cast(w, weight);
  axe::elementwise([](float v) { return v * v; }, value, value);
  axe::reduce<1>(axe::plus{}, value, sum, scratch, block);
  auto const columns = static_cast<float>(in.sizes.template extent<1>());
  float const scale = rsqrtf(sum.template at<0>() / columns + epsilon);
  axe::cast(x, value);
  axe::elementwise([&](float v, float by) { return v * scale * by; }, value, value, weight);
  axe::cast(value, x);
  axe::copy(x, out.template tile<1, Columns>(axe::block_x(), first), block);
}
