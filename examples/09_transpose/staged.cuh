// A transpose through a 32 x 32 tile of shared memory, for any size and elements of 1, 2 and 4
// bytes: rows that are a word longer than 32 elements, or rows of 32 whose columns are exchanged by
// an XOR with the row. A warp reads a row of the tensor and writes a row of its transpose; between
// them it writes a row of the tile and reads a column.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;

template <class T> using matrix = axe::tensor<T, axe::row_major<2>>;

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
__device__ void transpose_through(matrix<T const> const& in,  //
                                  matrix<T> const& out) {
  __shared__ axe::shared_tile<T, L, square> staged;
  auto const [row, column] = axe::block<2>();
  axe::copy_by<by_rows>(axe::tile<32, 32>(in, row, column), staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy_by<by_rows>(axe::transposed(staged), axe::tile<32, 32>(out, column, row),
                        axe::cta<256>);
}

template <class T>
__global__ void __launch_bounds__(256) transpose_padded(matrix<T const> in,  //
                                                        matrix<T> out) {
  transpose_through<padded<T>>(in, out);
}
template <class T>
__global__ void __launch_bounds__(256) transpose_exchanged(matrix<T const> in,  //
                                                           matrix<T> out) {
  transpose_through<exchanged>(in, out);
}
