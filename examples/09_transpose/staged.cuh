// A transpose through a 32 x 32 tile of shared memory, for any size and elements of 1, 2 and 4
// bytes: rows that are a word longer than 32 elements, or rows of 32 whose columns are exchanged by
// an XOR with the row. A warp reads a row of the tensor and writes a row of its transpose; between
// them it writes a row of the tile and reads a column.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using axe::given;

inline constexpr axe::integer most = 1 << 24;
using matrix = axe::pitched<given(0).below(most), given(1).below(most), given(2).below(most)>;
template <class T> using input = axe::global_view<T const, matrix>;
template <class T> using output = axe::global_view<T, matrix>;

using square = axe::extents<32, 32>;
/// A warp holds rows, 8 apart; a lane a column.
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
/// A word more than the row: the words of a column then lie in 32 banks, whatever the width.
template <class T> struct padding {
  static constexpr axe::layout rows = axe::S({32, 32}, {32 + 4 / int{sizeof(T)}, 1});
};
template <class T> using padded = decltype(axe::carry<padding<T>::rows>());
using exchanged = axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>;

template <class L, class T>
__device__ void transpose_through(input<T> const& in,  //
                                  output<T> const& out) {
  __shared__ axe::shared_buffer<T, L, square> staged;
  auto const from = in.template tile<32, 32>(axe::block_y(), axe::block_x());
  auto const to = out.template tile<32, 32>(axe::block_x(), axe::block_y());
  axe::copy_by<by_rows>(from, staged.tile(), axe::every<256>);
  __syncthreads();
  axe::copy_by<by_rows>(staged.tile().transposed(), to, axe::every<256>);
}

template <class T>
__global__ void __launch_bounds__(256) transpose_padded(input<T> in,  //
                                                        output<T> out) {
  transpose_through<padded<T>>(in, out);
}
template <class T>
__global__ void __launch_bounds__(256) transpose_exchanged(input<T> in,  //
                                                           output<T> out) {
  transpose_through<exchanged>(in, out);
}
