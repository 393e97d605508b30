// SPDX-License-Identifier: MIT
// ldmatrix_atom<Count, Transposed>: the lane and register of each element of Count 8x8 matrices.
//
//     ldmatrix_atom<4>::fragment       (4,8,8)   S[(4,32,2):(2@reg,1@lane,1@reg)]
//     ldmatrix_atom<4>::rows           (4,8)     S[32:1@lane]    the lane that addresses each row
//
// Elements have 16 bits; a row is 16 bytes at a multiple of 16. stmatrix and movmatrix use the same
// layouts. Source: PTX ISA, "Warp-level matrix instructions: ldmatrix", "stmatrix", "movmatrix".
// The form .m16n16 is missing. Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>
#include <axe/layout/shape.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Element (q, r, c) is in row r and column c of matrix q.
AXE_LAZY_FN constexpr outcome<layout> try_ldmatrix_fragment(integer count,
                                                            bool transposed = false) {
  if (count != 1 && count != 2 && count != 4) return refusal{rule::ldmatrix_count, {count}};
  if (transposed)
    return detail::prescribed(
        {{count, 2, axis::reg}, {4, 1, axis::lane}, {2, 1, axis::reg}, {8, 4, axis::lane}});
  return detail::prescribed(
      {{count, 2, axis::reg}, {8, 4, axis::lane}, {4, 1, axis::lane}, {2, 1, axis::reg}});
}

AXE_LAZY_FN constexpr layout ldmatrix_fragment(integer count, bool transposed = false) {
  auto const result = try_ldmatrix_fragment(count, transposed);
  detail::stop_on(result.why, "ldmatrix_fragment");
  return result.value;
}

namespace detail {

/// The lane with the address of row r of matrix q.
template <int Count> struct rows_of_matrices {
  static_assert(Count == 1 || Count == 2 || Count == 4, "a warp moves 1, 2 or 4 matrices");
  static constexpr int count = Count;
  static constexpr layout rows = prescribed({{Count, 8, axis::lane}, {8, 1, axis::lane}});
  static constexpr shape rows_shape{Count, 8};
};

}  // namespace detail

template <int Count, bool Transposed = false>
struct ldmatrix_atom : detail::rows_of_matrices<Count> {
  static constexpr bool transposed = Transposed;
  static constexpr layout fragment = ldmatrix_fragment(Count, Transposed);
  static constexpr shape fragment_shape{Count, 8, 8};
};

template <int Count, bool Transposed = false>
using stmatrix_atom = ldmatrix_atom<Count, Transposed>;

/// ldmatrix.m8n16.x{Count}.b8x16 (sm_100a): 8x16 matrices of bytes. .b4x16_p64 and .b6x16_p32
/// expand elements of 4 and 6 bits to bytes. Source: PTX ISA, "ldmatrix"; CUTLASS's copy traits.
template <int Count> struct wide_ldmatrix_atom : detail::rows_of_matrices<Count> {
  static constexpr layout fragment = detail::prescribed(
      {{Count, 4, axis::reg}, {8, 4, axis::lane}, {4, 1, axis::lane}, {4, 1, axis::reg}});
  static constexpr shape fragment_shape{Count, 8, 16};
};

/// stmatrix.m16n8.x{Count}.trans.b8 (sm_100a): 16x8 matrices of bytes. Stores element (m, n) at
/// byte m of row n. Source: PTX ISA, "stmatrix", a figure; CUTLASS's copy traits.
template <int Count> struct bytes_stmatrix_atom : detail::rows_of_matrices<Count> {
  static constexpr layout fragment = detail::prescribed({{Count, 4, axis::reg},
                                                         {2, 2, axis::reg},
                                                         {8, 4, axis::lane},
                                                         {4, 1, axis::lane},
                                                         {2, 1, axis::reg}});
  static constexpr shape fragment_shape{Count, 16, 8};
};

/// movmatrix.sync.aligned.m8n8.trans.b16 moves elements from `source` to `target`.
struct movmatrix_atom {
  static constexpr layout source = ldmatrix_fragment(1);
  static constexpr layout target = ldmatrix_fragment(1, true);
  static constexpr shape element_shape{8, 8};
};

/// Shape (16,2): the lane that addresses each 16-byte half row of a 16x16 tile, for x4. The quarter
/// in row half i and column half j is matrix i + 2 * j, as in operand A of mma.
inline constexpr layout ldmatrix_rows_of_16x16 =
    detail::prescribed({{2, 8, axis::lane}, {8, 1, axis::lane}, {2, 16, axis::lane}});

}  // namespace AXE_NAMESPACE
}  // namespace axe
