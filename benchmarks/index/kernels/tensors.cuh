// Names that axe's forms share.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cuda_fp16.h>

namespace kernels {

using namespace axe::literals;

/// Rows that start at multiples of 16 bytes. Last: the extents that are known, 0 where they are not.
template <class T, int Rank = 2, axe::integer... Last>
using rows_of = axe::tensor<T, axe::row_major<Rank, Last...>, axe::aligned<16>>;
template <class T> using list_of = axe::tensor<T, axe::row_major<1>>;
/// One value for each row, as a matrix of one column.
template <class T> using column_of = axe::tensor<T, axe::column_major<2>>;

/// The accumulator of mma.sync for 64 x 64 elements: a warp has 16 rows.
using atom = axe::mma_atom<16, 8, 16, 16>;
using accumulator = axe::carrier<axe::direct_sum("S[(4,8):(1@warp,4@reg)]"_axe, {4, 8},
                                                 atom::accumulator, {16, 8})>;

}  // namespace kernels
