// Fragments and shared memory of the kernel for sm_80. A warp has 32 queries. It multiplies them by
// 16 keys and 32 elements of a head at once, which leaves enough registers for the sums.
#pragma once

#include "tensors.cuh"

#include <axe/algebra/direct_sum.hpp>
#include <axe/cuda/mma/mma.hpp>

using axe::mma_operand;

/// Down x Across fragments of mma.m16n8k16, one after the other in registers.
template <mma_operand Operand, int Down, int Across> struct repeated {
  static constexpr int registers = Operand == mma_operand::a ? 8 : 4, columns = 2 * registers;
  static constexpr axe::layout value = axe::direct_sum(
      axe::S({Down, Across}, {Across * registers * axe::axis::reg, registers* axe::axis::reg}),
      {Down, Across}, axe::mma_fragment(Operand, 16, 8, 16, 16), {16, columns});
};
using query_lanes = repeated<mma_operand::a, 2, 2>;
using key_lanes = repeated<mma_operand::b, 2, 2>;
using value_lanes = repeated<mma_operand::b, 1, 4>;
using scores = axe::fragment<float, repeated<mma_operand::accumulator, 2, 2>, axe::extents<32, 16>>;
using weights = axe::fragment<bf16, repeated<mma_operand::a, 2, 1>, axe::extents<32, 16>>;
template <class T>
using sums = axe::fragment<T, repeated<mma_operand::accumulator, 2, 4>, axe::extents<32, 32>>;

/// Rows in shared memory: groups of 32 columns, one group after the other.
template <int Rows, int D> struct rows_source {
  static constexpr auto mode = axe::swizzle_mode::bytes_64;
  static constexpr axe::layout value = axe::mma_shared_layout(16, mode, {Rows, D});
};
template <int Rows, int D>
using rows_of = axe::shared_tile<bf16, rows_source<Rows, D>, axe::extents<Rows, D>>;
template <int D> struct ampere_memory {
  rows_of<128, D> queries;
  rows_of<64, D> keys, values;
};
/// The first column of group `c` of a head, as a part of a coordinate.
template <int D, class Head>
__device__ __forceinline__ auto column_of(Head const& head, unsigned c) {
  return axe::constant<D>{} * head + axe::constant<32>{} * axe::any(c);
}
/// Starts copying the rows of `from` that begin at `row`. Rows after the end of the sequence become
/// zeros.
template <int D, class From, class Head, class To>
__device__ __forceinline__ void load(From const& from, unsigned row, Head const& head, To& to) {
  constexpr int rows = sizeof(to) / (D * sizeof(bf16));
#pragma unroll
  for (unsigned c = 0; c < D / 32; ++c)
    axe::copy_async<axe::zero_fill>(axe::tile_at<rows, 32>(from, row, column_of<D>(head, c)),
                                    axe::tile<rows, 32>(to, 0, c), axe::cta<128>);
  axe::async_commit();
}
