// Types of all kernels of this folder: C = A B^T in bf16 with sums in f32. A is (M,K), B (N,K), C
// (M,N); rows are multiples of 8 elements. TMA writes tiles to shared memory as tcgen05.mma reads
// them: rows of 64 elements with the 128-byte swizzle. The sums of 128 rows are in the 128 lanes of
// tensor memory.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/launch_control.hpp>
#include <axe/cuda/mma/tcgen05.hpp>
#include <axe/cuda/pipeline.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/cuda/warpgroup.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using bf16 = __nv_bfloat16;

using matrix = axe::tensor<bf16, axe::row_major<2>, axe::aligned<16>>;
using operand = axe::mapped_tensor<matrix>;

template <int Rows> struct rows_of_64_source {
  static constexpr auto mode = axe::swizzle_mode::bytes_128;
  static constexpr axe::layout value = axe::mma_shared_layout(16, mode, {Rows, 64});
};
/// A tile of `Rows` rows and 64 columns of A or B, or of C before TMA stores it.
template <int Rows> struct rows_of_64 : rows_of_64_source<Rows> {
  using buffer = axe::shared_tile<bf16, rows_of_64, axe::extents<Rows, 64>>;
};

/// The sums of one CTA in tensor memory: a row in each lane.
template <int Columns> struct sums_source {
  static constexpr axe::layout value =
      axe::accumulator_in_tensor_memory(axe::data_path::D, Columns);
};
template <int Columns, int Ctas>
using sums_tile =
    axe::tensor_memory_tile<float, sums_source<Columns>, axe::extents<128, Columns>, Ctas>;
template <int Columns, int Allocated, int Ctas>
__device__ __forceinline__ sums_tile<Columns, Ctas> sums(
    axe::tensor_memory<Allocated, Ctas> const& memory, unsigned column = 0) {
  return {memory.address + column};
}

/// `Columns` columns of the sums in registers: each thread of a warpgroup has a row.
template <int Columns> struct row_per_thread_source {
  static constexpr axe::layout value =
      axe::S({4, 32, Columns}, {1 * axe::axis::wid_in_wg, 1 * axe::axis::lane, 1 * axe::axis::reg});
};
template <class T, int Columns>
using row_per_thread = axe::fragment<T, row_per_thread_source<Columns>, axe::extents<128, Columns>>;

/// The sums of columns j * Columns to (j + 1) * Columns - 1, rounded.
template <int Columns, class Sums>
__device__ __forceinline__ auto rounded(Sums const& c, unsigned j) {
  row_per_thread<float, Columns> sums;
  axe::copy(axe::columns<Columns>(c, j), sums, axe::warpgroup);
  row_per_thread<bf16, Columns> out;
  axe::cast(sums, out);
  return out;
}

/// Writes the sums of tile (row, column) of 128 x Columns to C, without staging.
template <int Columns, class Sums>
__device__ __forceinline__ void write(Sums const& c, matrix const& C, unsigned row,
                                      unsigned column) {
#pragma unroll 1
  for (unsigned j = 0; j < Columns / 32; ++j)
    axe::copy(rounded<32>(c, j), axe::tile<128, 32>(C, row, Columns / 32 * column + j),
              axe::warpgroup);
}
