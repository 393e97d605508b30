// SPDX-License-Identifier: MIT
// not_owned_by(L, S, place): the elements without a replica at `place`, as disjoint pieces.
//
//     S[(4,2,8):(8,1@warp,1)], shape (4,16), 1*warp     (0:4, 0:8), S[((4),(8)):((8),(1))]
//
// Let u < v be neighbouring solutions for the digits that the place fixes. Each piece between them
// agrees with u up to a digit that is larger than in u, or with v up to a digit that is smaller
// than in v. Source: the complement of owned_by. Definition: docs/algebra.md, D8.
#pragma once

#include <axe/algebra/owned_by.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The pieces in row-major order of the fixed digits.
class other_ownership {
 public:
  class iterator {
   public:
    AXE_FN constexpr piece operator*() const { return of->part(stand, ranged, from, to, true); }
    AXE_FN constexpr iterator& operator++() {
      done = !advance();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& a, iterator const& b) {
      return a.done == b.done &&
             (a.done || (a.stand == b.stand && a.ranged == b.ranged && a.from == b.from));
    }

    constexpr iterator() = default;
    AXE_FN constexpr iterator(detail::fixed_digits const* split, bool at_end)
        : of(split), next(split->search), done(at_end) {
      if (at_end) return;
      has_next = of->reachable && next.find();
      digits = next.digits.count;
      if (has_next)
        done = !advance();
      else  // no element is there: one piece
        set(next.at, 0, 0, digits > 0 ? next.digits[0].extent : 1);
    }

   private:
    /// False after the last piece.
    AXE_FN constexpr bool advance() {
      for (;;) {
        while (raised > (has_next ? split_at : 0)) {
          --raised;
          integer const end =
              has_next && raised == split_at ? next.at[raised] : next.digits[raised].extent;
          if (last[raised] + 1 < end) return set(last, raised, last[raised] + 1, end);
        }
        if (!has_next) return false;
        while (lowered < digits) {
          int const here = lowered++;
          if (next.at[here] > 0) return set(next.at, here, 0, next.at[here]);
        }
        last = next.at;
        has_next = next.step() && next.find();
        split_at = 0;
        while (has_next && last[split_at] == next.at[split_at]) ++split_at;
        raised = digits;
        lowered = split_at + 1;
      }
    }
    AXE_FN constexpr bool set(detail::digit_list const& before, int digit, integer low,
                              integer high) {
      stand = before;
      ranged = digit;
      from = low;
      to = high;
      return true;
    }

    detail::fixed_digits const* of = nullptr;
    detail::digit_search next;  // the next solution
    detail::digit_list last;    // the solution before it
    detail::digit_list stand;   // values of the fixed digits before `ranged`
    integer from = 0, to = 0;
    int ranged = 0;
    int digits = 0;
    int split_at = 0;  // the first digit in which `last` and `next` differ
    int raised = 0;    // done: pieces with a larger digit than `last` at `raised` or later
    int lowered = 0;   // done: pieces with a smaller digit than `next` before `lowered`
    bool has_next = false;
    bool done = true;
  };

  AXE_FN constexpr iterator begin() const { return {&split, false}; }
  AXE_FN constexpr iterator end() const { return {&split, true}; }
  AXE_FN constexpr bool empty() const { return begin() == end(); }
  AXE_FN constexpr integer size() const {
    integer n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

  constexpr other_ownership() = default;
  AXE_FN constexpr explicit other_ownership(detail::fixed_digits const& from) : split(from) {}

 private:
  detail::fixed_digits split;
};

AXE_LAZY_FN constexpr outcome<other_ownership> try_not_owned_by(layout const& l, shape const& s,
                                                                place const& p,
                                                                step_limit steps = {}) {
  outcome<detail::fixed_digits> const fixed = detail::try_fix(l, s, p, steps);
  if (fixed.why) return fixed.why;
  return other_ownership(fixed.value);
}

AXE_LAZY_FN constexpr other_ownership not_owned_by(layout const& l, shape const& s,
                                                   place const& p) {
  auto const result = try_not_owned_by(l, s, p);
  detail::stop_on(result.why, "not_owned_by", {&l, nullptr, &s});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
