// Types of tensors that several axe.cuh kernels use.
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/cuda.hpp>

namespace kernels {

using namespace axe::literals;

/// A tensor whose rows start at multiples of 16 bytes. `Last` has its last extents, with 0 for
/// those that are known only at run time.
template <class T, int Rank = 2, axe::integer... Last>
using rows_of = axe::tensor<T, axe::row_major<Rank, Last...>, axe::aligned<16>>;
template <class T> using list_of = axe::tensor<T, axe::row_major<1>>;
/// One value for each row, as a matrix of one column.
template <class T> using column_of = axe::tensor<T, axe::column_major<2>>;

}  // namespace kernels
