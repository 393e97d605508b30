// SPDX-License-Identifier: MIT
// mma_atom<M, N, K, Bits>: the lane and register of each element of mma.sync's operands.
//
//     a (M,K)             S[(M/8,8,K/4v,4,v):(v@reg,4@lane,2v@reg,1@lane,1@reg)]
//     b (K,N)             S[(K/4v,4,v,8):(v@reg,1@lane,1@reg,4@lane)]
//     accumulator (M,N)   S[(M/8,8,4,2):(2@reg,4@lane,1@lane,1@reg)]
//
// v = max(1, 32 / Bits) elements share a register. Sources: PTX ISA, "Matrix Fragments for
// mma.m8n8k4 with .f64 …" to "… for mma.m16n8k256"; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/ldmatrix_fragment.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `accumulator` is C and D of D = A * B + C.
enum class mma_operand : unsigned char { a, b, accumulator };

namespace detail {

AXE_LAZY_FN constexpr integer elements_in_a_register(integer bits) {
  if (bits == 64) return 1;
  return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 32 ? 32 / bits : 0;
}

AXE_LAZY_FN constexpr bool has_mma(integer m, integer n, integer k, integer bits) {
  integer const v = elements_in_a_register(bits);
  if (n != 8 || v == 0) return false;
  if (m == 8) return k == 4 * v && bits != 16 && bits != 32;
  return m == 16 && (k == 4 * v || k == 8 * v || (bits == 64 && k == 16));
}

}  // namespace detail

/// `bits` is an element's width in a register: 8 for the 4-bit and 6-bit floats of m16n8k32.
/// Rejects shapes that mma.sync lacks, and m8n8k4 of f16.
AXE_LAZY_FN constexpr outcome<layout> try_mma_fragment(mma_operand operand, integer m, integer n,
                                                       integer k, integer bits) {
  using namespace detail;
  if (!has_mma(m, n, k, bits)) return refusal{rule::mma_no_such_shape, {m, n, k, bits}};
  integer const v = elements_in_a_register(bits);
  integer const steps = k / (4 * v);
  if (operand == mma_operand::a)
    return prescribed({{m / 8, v, axis::reg},
                       {8, 4, axis::lane},
                       {steps, 2 * v, axis::reg},
                       {4, 1, axis::lane},
                       {v, 1, axis::reg}});
  if (operand == mma_operand::b)
    return prescribed(
        {{steps, v, axis::reg}, {4, 1, axis::lane}, {v, 1, axis::reg}, {n, 4, axis::lane}});
  return try_ldmatrix_fragment(m / 8);
}

AXE_LAZY_FN constexpr layout mma_fragment(mma_operand operand, integer m, integer n, integer k,
                                          integer bits) {
  return detail::stop_on(try_mma_fragment(operand, m, n, k, bits), "mma_fragment");
}

template <int Rows, int Columns, int Depth, int Bits> struct mma_atom {
  static constexpr int m = Rows, n = Columns, k = Depth, bits = Bits;
  static constexpr refusal why = try_mma_fragment(mma_operand::a, Rows, Columns, Depth, Bits).why;
  using stop = detail::verdict<detail::broken<why.which, Rows, Columns, Depth, Bits>>::stop;
  static constexpr layout a = try_mma_fragment(mma_operand::a, Rows, Columns, Depth, Bits).value;
  static constexpr layout b = try_mma_fragment(mma_operand::b, Rows, Columns, Depth, Bits).value;
  static constexpr layout accumulator =
      try_mma_fragment(mma_operand::accumulator, Rows, Columns, Depth, Bits).value;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
