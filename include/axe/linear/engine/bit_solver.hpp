// SPDX-License-Identifier: MIT
// bit_solver: solves m(x) = y over F2 by Gaussian elimination.
//
//     bit_solver of(m);
//     if (of.solve(y, x)) …        x is the smallest solution; all are x ^ k with k in of.kernel
#pragma once

#include <axe/linear/engine/bit_space.hpp>

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
  /// Precondition: rest == m(combination) is reduced and not 0.
  AXE_FN constexpr void add(bit_word rest, bit_word combination) {
    int const top = detail::highest_bit(rest);
    for (bit_word others = image.leading; others != 0; others &= others - 1) {
      int const i = detail::lowest_bit(others);
      if (detail::has_bit(image.with_leading[i], top)) made_of[i] ^= combination;
    }
    image.add(rest);
    made_of[top] = combination;
  }
};

AXE_FN constexpr bit_space kernel(bit_matrix const& m) { return bit_solver(m).kernel; }

}  // namespace AXE_NAMESPACE
}  // namespace axe
