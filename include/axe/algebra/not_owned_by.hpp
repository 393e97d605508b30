// SPDX-License-Identifier: MIT
// not_owned_by(L, S, place): the elements without a replica at `place`, as disjoint pieces.
//
//     S[(4,2,8):(8,1@warp,1)], shape (4,16), 1*warp     (0:4, 0:8), S[((4),(8)):((8),(1))]
//
// `place` fixes digits. In a piece, one fixed digit has a range of values, slower fixed digits have
// one value, and all other digits have all values.
// Definition: docs/algebra.md, D8.
#pragma once

#include <axe/algebra/owned_by.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Visits pieces in row-major order.
class unowned_iterator {
 public:
  AXE_LAZY_FN constexpr piece operator*() const { return of->part(at, ranged, to, true); }
  AXE_LAZY_FN constexpr unowned_iterator& operator++() {
    at[ranged] = to;
    find_piece();
    return *this;
  }
  AXE_FN friend constexpr bool operator==(unowned_iterator const& i, detail::range_end) {
    return i.done;
  }

  AXE_LAZY_FN constexpr explicit unowned_iterator(detail::fixed_digits const* split)
      : of(split), next(split->search) {
    // Without fixed digits, a digit of extent 1 makes all elements one piece.
    if (next.digits.empty()) next.add({1, 0, axis::null});
    at = next.at;
    has_next = of->reachable && next.find();
    find_piece();
  }

 private:
  /// Skips owned elements, then sets `ranged` and `to` for the piece that begins at `at`. `ranged`
  /// is the slowest digit whose range can end before the next owned element. Precondition: digits
  /// after `ranged` are 0.
  AXE_LAZY_FN constexpr void find_piece() {
    for (;;) {
      for (; ranged > 0 && at[ranged] == next.digits[ranged].extent; ++at[--ranged]) at[ranged] = 0;
      done = at[0] == next.digits[0].extent;
      if (done) return;
      if (!has_next || !(at == next.at)) break;
      ranged = next.digits.size() - 1;
      ++at[ranged];
      has_next = next.step() && next.find();
    }
    int common = 0;
    while (has_next && at[common] == next.at[common]) ++common;
    for (ranged = next.digits.size() - 1; ranged > common && at[ranged] == 0;) --ranged;
    to = has_next && ranged == common ? next.at[ranged] : next.digits[ranged].extent;
  }

  detail::fixed_digits const* of;
  detail::digit_search next;
  detail::digit_list at;
  int ranged = 0;  // the digit with a range of values
  integer to = 0;
  bool has_next = false;
  bool done = false;
};

using unowned_pieces = searched_range<detail::fixed_digits, unowned_iterator>;

AXE_LAZY_FN constexpr outcome<unowned_pieces> try_not_owned_by(layout const& l, shape const& s,
                                                               place const& p,
                                                               step_limit steps = {}) {
  outcome<detail::fixed_digits> const fixed = detail::try_fixed_digits(l, s, p, steps);
  if (fixed.why) return fixed.why;
  int axes = 0;  // on which pieces may have offsets
  for (axis a : axes_of(l)) axes += l.offset(a) != 0 || p.names(a);
  if (axes > capacity::offsets) return refusal{rule::too_many_offsets};
  return unowned_pieces(fixed.value);
}

AXE_LAZY_FN constexpr unowned_pieces not_owned_by(layout const& l, shape const& s, place const& p) {
  return detail::stop_on(try_not_owned_by(l, s, p), "not_owned_by", {&l, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
