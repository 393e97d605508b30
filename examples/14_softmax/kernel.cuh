// Softmax of rows, y = exp(x - max) / sum exp(x - max): a warp a row, eight rows a block. The row
// stays in registers; maximum and sum go over the lanes by the strides of the layout, and meet the
// row again by broadcasting. Columns, a multiple of 128, is how many a warp has registers for.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using axe::given;

using axe::axis;
using axe::carrier;

/// Rows, columns, and a distance between rows. Where 4 divides the last two, four move at once.
inline constexpr axe::integer most = 1 << 24;
template <int Bytes>
using matrix = axe::pitched<given(0).below(most), given(1).multiple_of(Bytes / 4).below(most),
                            given(2).multiple_of(Bytes / 4).below(most)>;
template <class T, int Bytes> using view = axe::global_view<T, matrix<Bytes>, Bytes>;

/// What no element is below: it stands where a row has ended.
inline constexpr float lowest = -3.40282347e38f;

/// Eight warps, a row each; a lane holds 4 neighbours of each 128.
template <int Columns>
using by_warps = carrier<axe::S({8, Columns / 128, 32, 4},  //
                                {32 * axis::tid, 4 * axis::reg, 1 * axis::tid, 1 * axis::reg})>;

template <int Columns, int Bytes>
__global__ void __launch_bounds__(256) softmax(view<float const, Bytes> in,  //
                                               view<float, Bytes> out) {
  axe::fragment<float, by_warps<Columns>, axe::extents<8, Columns>> x;
  axe::reduced<decltype(x), 1> largest, sum;
  auto const zero = axe::constant<0>{};
  auto const from = in.template tile<8, Columns>(axe::block_x(), zero);
  axe::copy<axe::zero_outside>(from, x, axe::every<256>);

  auto const mine = from.template mine<by_warps<Columns>>(threadIdx.x);
  axe::for_each_register<x.size>([&](auto r) { x[r] = mine.inside(r) ? x[r] : lowest; });
  axe::reduce<1>(axe::maximum{}, x, largest, axe::every<256>);
  axe::elementwise([](float v, float m) { return exp2f((v - m) * 1.44269504f); }, x, x, largest);
  axe::reduce<1>(axe::plus{}, x, sum, axe::every<256>);
  axe::elementwise([](float s) { return 1 / s; }, sum, sum);
  axe::elementwise([](float v, float by) { return v * by; }, x, x, sum);
  axe::copy(x, out.template tile<8, Columns>(axe::block_x(), zero), axe::every<256>);
}
