// A transpose through a 32 x 32 tile of shared memory, for any size and elements of 1, 2 and 4
// bytes. A warp reads a row of the tensor and writes it as a row of the tile, then reads a column
// of the tile and writes it as a row of the transpose. The tile's rows are padded by one word, or
// the swizzle XORs the column of an element with its row.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;

/// One word of padding for each row puts the elements of a column into 32 different banks, for
/// elements of 1, 2 and 4 bytes.
template <class T> struct padding {
  static constexpr axe::layout rows = axe::S({32, 32}, {32 + 4 / int{sizeof(T)}, 1});
};
template <class T> using padded = decltype(axe::carry<padding<T>::rows>());

template <class T> using matrix = axe::tensor<T, axe::row_major<2>>;
/// The column of an element is XORed with its row.
using swizzled = axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>;
/// A warp has every 8th row; each lane has one column.
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;

template <class T, class L = swizzled>
__global__ void __launch_bounds__(256) transpose_staged(matrix<T const> in, matrix<T> out) {
  __shared__ axe::shared_tile<T, L, axe::extents<32, 32>> staged;
  auto const [row, column] = axe::block<2>();
  axe::copy_by<by_rows>(axe::tile<32, 32>(in, row, column), staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy_by<by_rows>(axe::transposed(staged), axe::tile<32, 32>(out, column, row),
                        axe::cta<256>);
}
