// SPDX-License-Identifier: MIT
// bit_space: a subspace of F2^64 in reduced echelon form, so that == compares subspaces.
// bit_solver: solves m(x) = y over F2 by Gaussian elimination.
//
//     bit_space s;  s.add(0b110);  s.add(0b101);        {0, 0b011, 0b101, 0b110}
//     if (bit_solver(m).solve(y, x)) …                  x is the smallest solution
//
// with_leading[i] is the basis vector with highest bit i, or 0.
#pragma once

#include <axe/linear/engine/bit_matrix.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct bit_space {
  bit_word with_leading[64]{};
  bit_word label[64]{};  // of with_leading[i]; the label of an XOR is the XOR of the labels
  bit_word leading = 0;  // bit i: with_leading[i] is not 0

  AXE_FN friend constexpr bool operator==(bit_space const& a, bit_space const& b) {
    return detail::equal_entries(a.with_leading, b.with_leading);
  }

  AXE_FN constexpr int dimension() const { return detail::count_bits(leading); }

  /// The smallest vector of v + this space.
  AXE_FN constexpr bit_word remainder(bit_word v) const {
    bit_word any = 0;
    return remainder(v, any);
  }
  /// Also turns the label of v into that of the result.
  AXE_FN constexpr bit_word remainder(bit_word v, bit_word& label_of_v) const {
    for (bit_word hit = v & leading; hit != 0; hit &= hit - 1) {
      int const i = detail::lowest_bit(hit);
      v ^= with_leading[i];
      label_of_v ^= label[i];
    }
    return v;
  }
  AXE_FN constexpr bool contains(bit_word v) const { return remainder(v) == 0; }

  AXE_FN constexpr bool add(bit_word v, bit_word label_of_v = 0) {
    using namespace detail;
    bit_word label_of_rest = label_of_v;
    bit_word const rest = remainder(v, label_of_rest);
    if (rest == 0) return false;
    int const top = highest_bit(rest);
    for (bit_word others = leading; others != 0; others &= others - 1) {
      int const i = lowest_bit(others);
      if (!has_bit(with_leading[i], top)) continue;
      with_leading[i] ^= rest;
      label[i] ^= label_of_rest;
    }
    with_leading[top] = rest;
    label[top] = label_of_rest;
    leading |= bit(top);
    return true;
  }

  AXE_FN constexpr bit_matrix basis(int rows) const {
    bit_matrix m(rows, dimension());
    int c = 0;
    for (bit_word left = leading; left != 0; left &= left - 1)
      m.column[c++] = with_leading[detail::lowest_bit(left)];
    return m;
  }
};

AXE_FN constexpr bit_space operator+(bit_space a, bit_space const& b) {
  for (bit_word left = b.leading; left != 0; left &= left - 1)
    a.add(b.with_leading[detail::lowest_bit(left)]);
  return a;
}

AXE_FN constexpr bit_space image(bit_matrix const& m) {
  bit_space s;
  for (int c = 0; c < m.columns; ++c) s.add(m.column[c]);
  return s;
}

AXE_FN constexpr int rank(bit_matrix const& m) { return image(m).dimension(); }

/// A complement of s in F2^n, spanned by the unit vectors of bits outside s.leading.
AXE_FN constexpr bit_space complement(bit_space const& s, int n) {
  bit_space rest;
  for (bit_word left = detail::low_bits(n) & ~s.leading; left != 0; left &= left - 1)
    rest.add(left & (~left + 1));
  return rest;
}

struct bit_solver {
  bit_space image;  // image.with_leading[i] == m(image.label[i])
  bit_space kernel;

  AXE_FN constexpr explicit bit_solver(bit_matrix const& m) {
    for (int c = 0; c < m.columns; ++c) {
      bit_word combination = detail::bit(c);
      if (image.remainder(m.column[c], combination) == 0)
        kernel.add(combination);
      else
        image.add(m.column[c], detail::bit(c));
    }
  }

  AXE_FN constexpr bool solve(bit_word y, bit_word& x) const {
    x = 0;
    return image.remainder(y, x) == 0;
  }
};

AXE_FN constexpr bit_space kernel(bit_matrix const& m) { return bit_solver(m).kernel; }

}  // namespace AXE_NAMESPACE
}  // namespace axe
