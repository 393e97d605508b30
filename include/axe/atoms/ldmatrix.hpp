// ldmatrix_atom<Count, Transposed>: which lane and register gets each element of Count 8x8
// matrices, and which lane names the address of each row.
//
//     using atom = ldmatrix_atom<4>;
//     atom::fragment                  (4,8,8)   S[(4,32,2):(2@reg,1@lane,1@reg)]
//     atom::rows                      (4,8)     S[32:1@lane]          row r of matrix q begins at the address of lane 8q + r
//     ldmatrix_atom<4,true>::fragment (4,8,8)   S[(4,4,2,8):(2@reg,1@lane,1@reg,4@lane)]
//
// Elements have 16 bits, a row 16 bytes, its address a multiple of 16. stmatrix (sm_90) stores by
// the same layouts. For one or two matrices lanes 0 to 7 or 0 to 15
// name addresses. movmatrix.trans takes an 8x8 matrix from ldmatrix_atom<1>::fragment to
// ldmatrix_atom<1, true>::fragment. Other widths of elements go through ldmatrix as pairs,
// quarters: unpack the layout. Of Blackwell's forms for bytes two are here:
//     wide_ldmatrix_atom<2>           (2,8,16)   S[(2,32,4):(4@reg,1@lane,1@reg)]                    .m8n16.x2.b8x16: 4- and 6-bit elements, each to a byte of its own
//     bytes_stmatrix_atom<2>          (2,16,8)   S[(2,2,8,4,2):(4@reg,2@reg,4@lane,1@lane,1@reg)]    .m16n8.x2.trans.b8
// In both lane 8q + r names row r of matrix q in memory, 16 bytes: of .m8n16 eight or twelve bytes
// of elements and padding, of .m16n8 column r of the matrix. The form .m16n16 is not here: the ISA
// has a figure, whose order of bytes in a register and the one of CUTLASS's traits we could not
// bring together.
// Refused: any number of matrices but 1, 2 and 4.
// Source: PTX ISA, "Warp-level matrix instructions: ldmatrix", "stmatrix", "movmatrix".
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>
#include <axe/layout/shape.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Lane and register of the elements of `count` matrices; transposed: of the element that stands at
/// (q, r, c) in shared memory, under .trans.
AXE_PLANNER constexpr outcome<layout> try_ldmatrix_fragment(integer count,
                                                            bool transposed = false) {
  if (count != 1 && count != 2 && count != 4) return refusal{rule::ldmatrix_count, {count}};
  if (transposed)
    return detail::prescribed(
        {{count, 2, axis::reg}, {4, 1, axis::lane}, {2, 1, axis::reg}, {8, 4, axis::lane}});
  return detail::prescribed(
      {{count, 2, axis::reg}, {8, 4, axis::lane}, {4, 1, axis::lane}, {2, 1, axis::reg}});
}

AXE_PLANNER constexpr layout ldmatrix_fragment(integer count, bool transposed = false) {
  outcome<layout> const result = try_ldmatrix_fragment(count, transposed);
  if (!result) detail::stop_on(result.why, "ldmatrix_fragment", {});
  return *result;
}

/// ldmatrix.x{Count} and stmatrix.x{Count}, with .trans where Transposed.
template <int Count, bool Transposed = false> struct ldmatrix_atom {
  static constexpr int count = Count;
  static constexpr bool transposed = Transposed;
  static constexpr layout fragment = ldmatrix_fragment(Count, Transposed);
  static constexpr shape fragment_shape{Count, 8, 8};
  static constexpr layout rows = detail::prescribed({{Count, 8, axis::lane}, {8, 1, axis::lane}});
  static constexpr shape rows_shape{Count, 8};
};

/// The same layouts, of a store.
template <int Count, bool Transposed = false>
using stmatrix_atom = ldmatrix_atom<Count, Transposed>;

/// ldmatrix.m8n16.x{Count}.b8x16 (sm_100a): 8-bit elements of Count 8x16 matrices, that .b4x16_p64
/// or .b6x16_p32 has spread out from 4 or 6 bits.
/// Source: PTX ISA, "ldmatrix", "four consecutive columns" of a row to a lane; CUTLASS's copy
/// traits agree.
template <int Count> struct wide_ldmatrix_atom {
  static_assert(Count == 1 || Count == 2 || Count == 4, "ldmatrix takes 1, 2 or 4 matrices");
  static constexpr int count = Count;
  static constexpr layout fragment = detail::prescribed(
      {{Count, 4, axis::reg}, {8, 4, axis::lane}, {4, 1, axis::lane}, {4, 1, axis::reg}});
  static constexpr shape fragment_shape{Count, 8, 16};
  static constexpr layout rows = ldmatrix_atom<Count>::rows;
  static constexpr shape rows_shape{Count, 8};
};

/// stmatrix.m16n8.x{Count}.trans.b8 (sm_100a): element (m, n) of Count 16x8 matrices of bytes, as
/// an accumulator's; it goes to byte m of row n in memory.
/// Source: PTX ISA, "stmatrix", a figure; CUTLASS's copy traits.
template <int Count> struct bytes_stmatrix_atom {
  static_assert(Count == 1 || Count == 2 || Count == 4, "stmatrix takes 1, 2 or 4 matrices");
  static constexpr int count = Count;
  static constexpr layout fragment = detail::prescribed({{Count, 4, axis::reg},
                                                         {2, 2, axis::reg},
                                                         {8, 4, axis::lane},
                                                         {4, 1, axis::lane},
                                                         {2, 1, axis::reg}});
  static constexpr shape fragment_shape{Count, 16, 8};
  static constexpr layout rows = ldmatrix_atom<Count>::rows;
  static constexpr shape rows_shape{Count, 8};
};

/// movmatrix.sync.aligned.m8n8.trans.b16: element (r, c) comes from the place that source gives it
/// and goes to that of target.
struct movmatrix_atom {
  static constexpr layout source = ldmatrix_fragment(1);
  static constexpr layout target = ldmatrix_fragment(1, true);
  static constexpr shape element_shape{8, 8};
};

/// The lane that names the address of each 16-byte half of the rows of a 16x16 tile, (16,2), for
/// x4: matrix q is row half + 2 * column half, which is the order of
/// mma's A and of two accumulators side by side.
inline constexpr layout ldmatrix_rows_of_16x16 =
    detail::prescribed({{2, 8, axis::lane}, {8, 1, axis::lane}, {2, 16, axis::lane}});

}  // namespace AXE_NAMESPACE
}  // namespace axe
