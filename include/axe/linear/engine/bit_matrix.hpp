// SPDX-License-Identifier: MIT
// bit_matrix: a matrix over F2 of at most 64 by 64.
//
//     bit_matrix m(2, 3);  m.column[0] = 0b01;  m.column[1] = 0b10;  m.column[2] = 0b11;
//     m(0b101) == 0b10
//
// Bit r of column[c] is the entry in row r. Unused columns are 0.
#pragma once

#include <axe/base/list.hpp>
#include <axe/layout/swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A vector of F2^64 or a set of bits.
using bit_word = detail::stl::uint64_t;

namespace detail {

AXE_FN constexpr bit_word bit(int i) { return bit_word{1} << i; }
AXE_FN constexpr bit_word low_bits(int n) { return n >= 64 ? ~bit_word{0} : bit(n) - 1; }
AXE_FN constexpr bool has_bit(bit_word w, int i) { return ((w >> i) & 1) != 0; }

/// Returns -1 for 0. No builtin works for all compilers in device code.
AXE_FN constexpr int highest_bit(bit_word w) {
  if (w == 0) return -1;
  int at = 0;
  for (int half = 32; half > 0; half /= 2)
    if ((w >> half) != 0) {
      w >>= half;
      at += half;
    }
  return at;
}

AXE_FN constexpr int lowest_bit(bit_word w) { return highest_bit(w & (~w + 1)); }

AXE_FN constexpr int count_bits(bit_word w) {
  int count = 0;
  for (; w != 0; w &= w - 1) ++count;
  return count;
}

AXE_FN constexpr bit_word swizzled(axe::swizzle const& f, bit_word address) {
  return static_cast<bit_word>(f(static_cast<integer>(address)));
}
AXE_FN constexpr bit_word undo(axe::swizzle const& f, bit_word address) {
  return static_cast<bit_word>(f.inverse(static_cast<integer>(address)));
}

}  // namespace detail

struct bit_matrix {
  bit_word column[64]{};
  int rows = 0;
  int columns = 0;

  constexpr bit_matrix() = default;
  AXE_FN constexpr bit_matrix(int row_count, int column_count)
      : rows(row_count), columns(column_count) {}

  AXE_FN friend constexpr bool operator==(bit_matrix const& a, bit_matrix const& b) {
    return a.rows == b.rows && a.columns == b.columns && detail::equal_entries(a.column, b.column);
  }

  AXE_FN static constexpr bit_matrix identity(int n) {
    bit_matrix m(n, n);
    for (int c = 0; c < n; ++c) m.column[c] = detail::bit(c);
    return m;
  }

  AXE_FN constexpr bit_word operator()(bit_word x) const {
    bit_word y = 0;
    for (int c = 0; c < columns; ++c)
      if (detail::has_bit(x, c)) y ^= column[c];
    return y;
  }
  AXE_FN constexpr bool at(int row, int c) const { return detail::has_bit(column[c], row); }
};

AXE_FN constexpr bit_matrix operator*(bit_matrix const& a, bit_matrix const& b) {
  bit_matrix product(a.rows, b.columns);
  for (int c = 0; c < b.columns; ++c) product.column[c] = a(b.column[c]);
  return product;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
