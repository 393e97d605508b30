// The tensors and layouts that the copy kernels and their test share.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/index.hpp>

namespace copies {

using namespace axe::literals;

inline constexpr axe::leaf rows = axe::dynamic(0).below(1 << 24);
/// A row-major matrix whose pitch is a multiple of 16 elements, and one with any pitch.
using lined = axe::dynamic_matrix<rows, axe::dynamic(1).below(1 << 24),
                                  axe::dynamic(2).below(1 << 24).multiple_of(16)>;
using any =
    axe::dynamic_matrix<rows, axe::dynamic(1).below(1 << 24), axe::dynamic(2).below(1 << 24)>;
/// Rows in groups of 8, with a dynamic stride between groups.
using grouped_rows = axe::dynamic_layout<
    axe::dimension<axe::digit<axe::dynamic(0).below(1 << 20), axe::dynamic(2).below(1 << 24)>,
                   axe::digit<8, axe::dynamic(1).below(1 << 24)>>,
    axe::dimension<axe::digit<24, 1>>>;
/// A matrix of whole tiles of 16 x 32.
using whole =
    axe::dynamic_matrix<rows.multiple_of(16), axe::dynamic(1).below(1 << 24).multiple_of(32),
                        axe::dynamic(2).below(1 << 24).multiple_of(16)>;

template <class T, class Matrix> struct operands {
  axe::tensor<T const, Matrix, axe::aligned<16>> in;
  axe::tensor<T, Matrix, axe::aligned<16>> out;
};

}  // namespace copies
