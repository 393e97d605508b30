// SPDX-License-Identifier: MIT
// compose(A, B): the linear map A(B(x)). Output axes of B feed input axes of A of the same name.
// Input axes of A that B lacks are 0. Rejects images of B outside A's inputs.
#pragma once

#include <axe/linear/linear_carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr outcome<linear_map> try_compose(linear_map const& a, linear_map const& b) {
  if (refusal const bad = detail::check_both(a, b)) return bad;
  detail::bit_renaming const between(b.out, a.in);
  linear_map c(b.in, a.out);
  for (int i = -1; i < b.matrix.columns; ++i) {  // -1: B's offset
    bit_word const reached = i < 0 ? b.offset : b.matrix.column[i];
    if (int const lost = between.lost(reached); lost >= 0) {
      term const at = b.out.bit_at(lost);
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
  auto const result = try_compose(a, b);
  detail::stop_on(result.why, "linear.compose");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(compose, "linear.compose", carries_linear_map);

}  // namespace AXE_NAMESPACE
}  // namespace axe
