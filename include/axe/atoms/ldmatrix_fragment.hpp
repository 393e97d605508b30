// SPDX-License-Identifier: MIT
// ldmatrix_fragment(count, transposed): the lane and register of each element of `count` 8x8
// matrices.
//
//     ldmatrix_fragment(4)      (4,8,8)      S[(4,32,2):(2@reg,1@lane,1@reg)]
//
// Elements have 16 bits. Lane 8q + r addresses row r of matrix q. stmatrix and movmatrix use the
// same layouts. Sources: PTX ISA, "ldmatrix", "stmatrix", "movmatrix"; docs/algebra.md, D23.
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

}  // namespace AXE_NAMESPACE
}  // namespace axe
