// Types of all kernels of this example: C = A B^T in bf16 with sums in f32. A is (M,K), B (N,K), C
// (M,N); the length of a row is a multiple of 8 elements. TMA writes tiles to shared memory as
// wgmma reads them: rows of 64 elements with the 128-byte swizzle.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/mma/wgmma.hpp>
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
/// A tile of `Rows` rows and 64 columns of A or B: its layout as a carrier, and shared memory for
/// it.
template <int Rows> struct rows_of_64 : rows_of_64_source<Rows> {
  using buffer = axe::shared_tile<bf16, rows_of_64, axe::extents<Rows, 64>>;
};

/// The accumulators of a warpgroup: one or more groups of 64 rows, one after the other in
/// registers.
template <int Rows, int Columns> struct sums_source {
  static constexpr axe::layout value =
      axe::direct_sum(axe::S({Rows / 64, 1}, {Columns / 2 * axe::axis::reg, 0}), {Rows / 64, 1},
                      axe::wgmma_atom<Columns, 16>::accumulator, {64, Columns});
};
template <class T, int Rows, int Columns>
using sums = axe::fragment<T, sums_source<Rows, Columns>, axe::extents<Rows, Columns>>;

/// Rounds accumulators to bf16.
template <int Rows, int Columns>
__device__ __forceinline__ sums<bf16, Rows, Columns> rounded(sums<float, Rows, Columns> const& c) {
  sums<bf16, Rows, Columns> out;
  axe::cast(c, out);
  return out;
}
