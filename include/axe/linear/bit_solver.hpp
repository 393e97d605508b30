// bit_solver: solves m(x) = y over F2. pseudo_inverse(m): the matrix of the smallest solutions.
//
//     bit_solver of(m);
//     if (of.solve(y, x)) …              x is the smallest solution; all are x ^ k, k in of.kernel
//
// Gauss elimination over the columns in ascending order. Cost: O(columns * rank) words.
// Definition: docs/algebra.md, D18.
#pragma once

#include <axe/linear/bit_space.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct bit_solver {
  bit_space image;
  bit_space kernel;
  bit_word made_of[64]{};  // m(made_of[i]) == image.with_leading[i]

  AXE_FN constexpr explicit bit_solver(bit_matrix const& m) {
    for (int c = 0; c < m.columns; ++c) {
      bit_word rest = m.column[c];
      bit_word combination = detail::bit(c);
      reduce(rest, combination);
      if (rest == 0)
        kernel.add(combination);
      else
        add(rest, combination);
    }
  }

  /// The smallest x with m(x) = y; false if there is none.
  AXE_FN constexpr bool solve(bit_word y, bit_word& x) const {
    bit_word combination = 0;
    reduce(y, combination);
    x = combination;
    return y == 0;
  }

 private:
  AXE_FN constexpr void reduce(bit_word& v, bit_word& combination) const {
    for (bit_word hit = v & image.leading; hit != 0; hit &= hit - 1) {
      int const i = detail::lowest_bit(hit);
      v ^= image.with_leading[i];
      combination ^= made_of[i];
    }
  }
  AXE_FN constexpr void add(bit_word rest, bit_word combination) {
    int const top = detail::highest_bit(rest);
    for (bit_word others = image.leading; others != 0; others &= others - 1) {
      int const i = detail::lowest_bit(others);
      if (!detail::has_bit(image.with_leading[i], top)) continue;
      image.with_leading[i] ^= rest;
      made_of[i] ^= combination;
    }
    image.with_leading[top] = rest;
    made_of[top] = combination;
    image.leading |= detail::bit(top);
  }
};

/// The inputs with image 0. The leading bits of its basis are the free columns.
AXE_FN constexpr bit_space kernel(bit_matrix const& m) { return bit_solver(m).kernel; }

/// The intersection: the combinations of b's basis that a reduces to 0.
AXE_FN constexpr bit_space intersection(bit_space const& a, bit_space const& b) {
  bit_matrix const of_b = b.basis(64);
  bit_matrix modulo_a = of_b;
  for (int c = 0; c < of_b.columns; ++c) modulo_a.column[c] = a.remainder(of_b.column[c]);
  bit_space const combinations = kernel(modulo_a);
  bit_space both;
  for (bit_word left = combinations.leading; left != 0; left &= left - 1)
    both.add(of_b(combinations.with_leading[detail::lowest_bit(left)]));
  return both;
}

/// A matrix p with m * p * m == m: the smallest input for each vector of the image. Bits outside
/// the leading bits of the image map to 0.
AXE_FN constexpr bit_matrix pseudo_inverse(bit_matrix const& m) {
  bit_solver const of(m);
  bit_matrix p(m.columns, m.rows);
  for (int r = 0; r < m.rows; ++r)
    p.column[r] = of.made_of[r];  // image.with_leading[r] is bit r and bits that lead nothing
  return p;
}

/// True if m is square and one-to-one. Then pseudo_inverse is the inverse.
AXE_FN constexpr bool is_invertible(bit_matrix const& m) {
  return m.rows == m.columns && rank(m) == m.rows;
}

/// The x with a * x == b whose columns are smallest; false if a column of b is outside the image.
AXE_FN constexpr bool solve(bit_matrix const& a, bit_matrix const& b, bit_matrix& x) {
  bit_solver const of(a);
  x = bit_matrix(a.columns, b.columns);
  for (int c = 0; c < b.columns; ++c)
    if (!of.solve(b.column[c], x.column[c])) return false;
  return true;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
