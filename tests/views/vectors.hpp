// The types of tensors and the layouts that the kernels of vectors.cu and their test share.
#pragma once

#include "kernels.hpp"

namespace views {

/// Rows of floats that begin at multiples of 16 bytes. In a wide matrix the number of columns is a
/// multiple of 4; in any_row_matrix it is arbitrary.
template <axe::leaf Columns>
using rows_of_16_bytes = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24), Columns,
                                             axe::dynamic(2).multiple_of(4).below(1 << 24)>;
using wide_matrix = rows_of_16_bytes<axe::dynamic(1).multiple_of(4).below(1 << 24)>;
using any_row_matrix = rows_of_16_bytes<axe::dynamic(1).below(1 << 24)>;
using wide_input = axe::tensor<float const, wide_matrix, axe::aligned<16>>;
using wide_output = axe::tensor<float, wide_matrix, axe::aligned<16>>;
using any_row_input = axe::tensor<float const, any_row_matrix, axe::aligned<16>>;
using any_row_output = axe::tensor<float, any_row_matrix, axe::aligned<16>>;

/// Two thread layouts of a 32 x 32 tile for 64 threads. In by_fours, thread t has four neighbouring
/// columns of the rows t / 8 + {0, 8, 16, 24}. In by_ones it has column t % 32 of sixteen rows.
using by_fours = axe::carrier<"S[(4,8,8,4):(4@reg,8@tid,1@tid,1@reg)]"_axe>;
using by_ones = axe::carrier<"S[(16,2,32):(1@reg,32@tid,1@tid)]"_axe>;
using in_chunks = axe::carrier<"swizzle(2,3,3) o S[(32,32):(32,1)]"_axe>;

}  // namespace views
