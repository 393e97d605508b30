// SPDX-License-Identifier: MIT
// Named access patterns for tiles of any shape.
//
//     rows_of_128_bits<16>      eight 16-bit elements of a row per lane
//
// Rows and columns are the last two dimensions.
#pragma once

#include <axe/analysis/access.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A lane accesses a vector in each of `height` rows. The next lane's block follows along the row
/// or, if `down`, down the column.
struct access_form {
  int bits = 0;
  int values = 1;  // elements of a vector, along a row
  int height = 1;
  bool down = false;
  bool matrices = false;

  constexpr bool operator==(access_form const&) const = default;
};

/// Adjacent lanes access adjacent vectors of a row. Elements have Bits bits.
template <int Bits> inline constexpr access_form rows_of_elements{Bits};
template <int Bits> inline constexpr access_form rows_of_32_bits{Bits, 32 / Bits};
template <int Bits> inline constexpr access_form rows_of_64_bits{Bits, 64 / Bits};
template <int Bits> inline constexpr access_form rows_of_128_bits{Bits, 128 / Bits};
/// Adjacent lanes access adjacent rows.
template <int Bits> inline constexpr access_form columns_of_elements{Bits, 1, 1, true};
template <int Bits> inline constexpr access_form columns_of_32_bits{Bits, 32 / Bits, 1, true};
template <int Bits> inline constexpr access_form columns_of_64_bits{Bits, 64 / Bits, 1, true};
template <int Bits> inline constexpr access_form columns_of_128_bits{Bits, 128 / Bits, 1, true};
/// Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix".
template <int Bits> inline constexpr access_form ldmatrix_rows{Bits, 128 / Bits, 1, true, true};
/// Each lane accesses a square block in vectors of 128 bits.
template <int Bits> inline constexpr access_form row_blocks{Bits, 128 / Bits, 128 / Bits};
template <int Bits> inline constexpr access_form column_blocks{Bits, 128 / Bits, 128 / Bits, true};

AXE_LAZY_FN constexpr outcome<access_pattern> try_access(access_form const& f, shape const& s) {
  using namespace detail;
  extent_list extents;
  integer size = 1;
  if (refusal const bad = dimensions_of(s, extents, size)) return bad;
  access_pattern a{{}, f.bits, f.values, 32, f.matrices};
  if (refusal const bad = check_widths(a)) return bad;
  integer const columns = extents.empty() ? 1 : extents.back();
  integer const rows = extents.size() < 2 ? 1 : extents[extents.size() - 2];
  integer const others = size / columns / rows;
  if (f.height < 1) return refusal{rule::extent_argument_below_one, {f.height}};
  if (columns % f.values != 0) return refusal{rule::access_columns, {f.values, columns}};
  if (rows % f.height != 0) return refusal{rule::access_rows, {f.height, rows}};
  if (f.matrices && f.down && rows % 8 != 0) return refusal{rule::access_rows, {8, rows}};
  iter const in_block{f.height, columns, axis::m};
  iter const matrices{others, rows * columns, axis::m};
  iter const down{rows / f.height, f.height * columns, axis::m};
  iter const along{columns / f.values, f.values, axis::m};
  digit_builder pattern;
  for (iter const& i : {in_block, matrices, f.down ? along : down, f.down ? down : along,
                        iter{f.values, 1, axis::m}})
    pattern.push(i);
  a.elements.shards = pattern.done;
  if (f.height > 1) a.sweep = size / f.height / f.values;
  return a;
}

AXE_LAZY_FN constexpr outcome<access_pattern> try_access(axe::access_pattern const& a,
                                                         shape const&) {
  return a;
}

AXE_LAZY_FN constexpr access_pattern access_on(access_form const& f, shape const& s) {
  return detail::stop_on(try_access(f, s), "access_on", {nullptr, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
