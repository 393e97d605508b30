// The tensors that the kernels of this suite and their tests share.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

namespace loops {

using namespace axe::literals;

/// Tensors of 16-bit elements. Rows of `aligned_input` and `output` begin at multiples of 16 bytes.
/// The length of rows of `whole_rows` is such a multiple, too. Rows of `input` begin anywhere.
using aligned_input = axe::tensor<unsigned short const, axe::row_major<2>, axe::aligned_rows<16>>;
using input = axe::tensor<unsigned short const, axe::row_major<2>>;
using whole_rows = axe::tensor<unsigned short, axe::row_major<2>, axe::aligned<16>>;
using output = axe::tensor<unsigned short, axe::row_major<2>, axe::aligned_rows<16>>;
/// Rows of 32 floats. The number of rows may exceed 31 bits.
using any_rows =
    axe::tensor<float const, axe::dynamic_matrix<axe::dynamic(0), 32, 32>, axe::aligned<16>>;
using rows_of_floats = axe::tensor<float const, axe::row_major<2>, axe::aligned<16>>;
using four_rows = axe::tensor<float, axe::row_major<2, 4, 32>, axe::aligned<16>>;
/// Pages of eight rows.
using pages = axe::tensor<unsigned short, axe::row_major<3, 8, 64>, axe::aligned<16>>;

template <class T> using images = axe::tensor<T, axe::row_major<3>, axe::aligned<16>>;

/// A matrix with two digits of run-time extents in its columns: column x is at
/// x / width * apart + x % width.
using divided =
    axe::tensor<unsigned short,
                axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(1)>>,
                                    axe::dimension<axe::digit<axe::dynamic(2), axe::dynamic(3)>,
                                                   axe::digit<axe::dynamic(4), 1>>>>;

/// The sizes of a matrix of whole 64 x 64 tiles. The leading dimension is a multiple of 8 elements.
using whole_tiles = axe::dynamic_matrix<axe::dynamic(0).multiple_of(64).below(1 << 24),
                                        axe::dynamic(1).multiple_of(64).below(1 << 24),
                                        axe::dynamic(2).multiple_of(8).below(1 << 24)>;

using extent_16_64 = axe::extents<16, 64>;
using swizzled = axe::carrier<"swizzle(3,3,3) o S[(16,64):(64,1)]"_axe>;

}  // namespace loops
