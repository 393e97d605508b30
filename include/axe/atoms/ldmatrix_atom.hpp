// SPDX-License-Identifier: MIT
// ldmatrix_atom<Count, Transposed>: the lane and register of each element of Count 8x8 matrices.
//
//     ldmatrix_atom<4>::fragment       (4,8,8)   S[(4,32,2):(2@reg,1@lane,1@reg)]
//     ldmatrix_atom<4>::rows           (4,8)     S[32:1@lane]    the lane that addresses each row
//
// Elements have 16 bits. stmatrix and movmatrix use the same layouts. Sources: PTX ISA, "ldmatrix",
// "stmatrix", "movmatrix"; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Element (q, r, c) is in row r and column c of matrix q.
AXE_LAZY_FN constexpr outcome<layout> try_ldmatrix_fragment(integer count,
                                                            bool transposed = false) {
  using enum axis;
  if (count != 1 && count != 2 && count != 4) return refusal{rule::ldmatrix_count, {count}};
  if (transposed)
    return detail::prescribed({{count, 2, reg}, {4, 1, lane}, {2, 1, reg}, {8, 4, lane}});
  return detail::prescribed({{count, 2, reg}, {8, 4, lane}, {4, 1, lane}, {2, 1, reg}});
}

AXE_LAZY_FN constexpr layout ldmatrix_fragment(integer count, bool transposed = false) {
  return detail::stop_on(try_ldmatrix_fragment(count, transposed), "ldmatrix_fragment");
}

template <int Count, bool Transposed = false> struct ldmatrix_atom {
  static constexpr layout fragment = ldmatrix_fragment(Count, Transposed);
  static constexpr shape fragment_shape{Count, 8, 8};
  static constexpr layout rows = detail::prescribed({{Count, 8, axis::lane}, {8, 1, axis::lane}});
  static constexpr shape rows_shape{Count, 8};
};

struct movmatrix_atom {
  static constexpr layout source = ldmatrix_fragment(1);
  static constexpr layout target = ldmatrix_fragment(1, true);
  static constexpr shape element_shape{8, 8};
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
