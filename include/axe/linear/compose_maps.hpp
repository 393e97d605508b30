// SPDX-License-Identifier: MIT
// compose(A, B): the linear map A(B(x)). Output axes of B feed input axes of A of the same name.
// Input axes of A that B lacks are 0. Rejects images of B outside A's inputs.
//
// invert_and_compose(A, B): the C with A(C(x)) = B(x). Of several such C, the one with the
// smallest C(x) ^ x. Rejects a B with images outside A's image.
//
//     invert_and_compose({lane: 1 -> (2)} to (m: 4), {reg: 1 -> (2)} to (m: 4))
//         {reg: 1 -> (1)} to (lane: 2)
#pragma once

#include <axe/linear/engine/bit_space.hpp>
#include <axe/linear/linear_map.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr outcome<linear_map> try_compose(linear_map const& a, linear_map const& b) {
  if (refusal const bad = detail::check_both(a, b)) return bad;
  detail::bit_renaming const between(b.out, a.in);
  linear_map c(b.in, a.out);
  for (int i = -1; i < b.matrix.columns; ++i) {  // -1: B's offset
    bit_word const reached = i < 0 ? b.offset : b.matrix.column[i];
    if (int const lowest_missing = between.lowest_missing(reached); lowest_missing >= 0) {
      term const at = b.out.bit_at(lowest_missing);
      return refusal{rule::linear_inner_leaves,
                     {at.n, static_cast<integer>(detail::low_bits(a.in.bits_on(at.on)))},
                     {at.on}};
    }
    (i < 0 ? c.offset : c.matrix.column[i]) = a.matrix(between(reached));
  }
  c.offset ^= a.offset;
  return c;
}
AXE_FN constexpr linear_map compose(linear_map const& a, linear_map const& b) {
  return detail::stop_on(try_compose(a, b), "linear.compose");
}

AXE_FN constexpr outcome<linear_map> try_invert_and_compose(linear_map const& a,
                                                            linear_map const& b) {
  using namespace detail;
  if (refusal const bad = check_both(a, b)) return bad;
  bit_renaming const to_out(b.out, a.out);
  bit_renaming const to_in(b.in, a.in);
  bit_solver const of(a.matrix);
  linear_map c(b.in, a.in);
  // B's offset must be an image of A. Output axes of A that B lacks are 0 in B.
  bit_word found = 0;
  if (to_out.lowest_missing(b.offset) >= 0 || !of.solve(to_out(b.offset) ^ a.offset, found))
    return refusal{rule::linear_start_not_reached};
  c.offset = of.kernel.remainder(found);
  for (int i = 0; i < b.matrix.columns; ++i) {
    bit_word const wanted = b.matrix.column[i];
    if (to_out.lowest_missing(wanted) >= 0 || !of.solve(to_out(wanted), found))
      return about_bit(rule::linear_not_reached, b.in, i);
    bit_word const itself = to_in(bit(i));
    c.matrix.column[i] = itself ^ of.kernel.remainder(found ^ itself);
  }
  return c;
}
AXE_FN constexpr linear_map invert_and_compose(linear_map const& a, linear_map const& b) {
  return detail::stop_on(try_invert_and_compose(a, b), "linear.invert_and_compose");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
