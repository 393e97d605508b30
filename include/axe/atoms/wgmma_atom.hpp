// SPDX-License-Identifier: MIT
// wgmma_atom<N, Bits>: the warp, lane and register of each element of wgmma's A and accumulator.
//
//     a (64,K)             S[(4,2,8,2,4,v):(1@wid_in_wg,v@reg,4@lane,2v@reg,1@lane,1@reg)]
//     accumulator (64,N)   S[(4,2,8,N/8,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]
//
// K is 256 / Bits. v = 32 / Bits elements share a register. Sources: PTX ISA, "Register Fragments"
// of wgmma; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/mma_atom.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// check_mma allows fewer n for 8-bit integers.
AXE_LAZY_FN constexpr outcome<layout> try_wgmma_fragment(mma_operand operand, integer n,
                                                         integer bits) {
  using enum axis;
  if (refusal const bad = detail::check_operand_width(bits)) return bad;
  if (n < 8 || n > 256 || n % 8 != 0) return refusal{rule::wgmma_columns, {n}};
  if (operand == mma_operand::b) return refusal{rule::wgmma_b_is_in_shared_memory};
  integer const v = operand == mma_operand::a ? 32 / bits : 2;
  integer const repeats = operand == mma_operand::a ? 2 : n / 8;
  return detail::prescribed({{4, 1, wid_in_wg},
                             {2, v, reg},
                             {8, 4, lane},
                             {repeats, 2 * v, reg},
                             {4, 1, lane},
                             {v, 1, reg}});
}

AXE_LAZY_FN constexpr layout wgmma_fragment(mma_operand operand, integer n, integer bits) {
  return detail::stop_on(try_wgmma_fragment(operand, n, bits), "wgmma_fragment");
}

template <int Columns, int Bits> struct wgmma_atom {
  static constexpr int m = 64, n = Columns, k = 256 / Bits, bits = Bits;
  static constexpr refusal why = try_wgmma_fragment(mma_operand::a, Columns, Bits).why;
  using stop = detail::verdict<detail::broken<why.which, why.numbers[0]>>::stop;
  static constexpr layout a = try_wgmma_fragment(mma_operand::a, Columns, Bits).value;
  static constexpr layout accumulator =
      try_wgmma_fragment(mma_operand::accumulator, Columns, Bits).value;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
