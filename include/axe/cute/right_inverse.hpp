// right_inverse(L): from the places 0, 1, 2, … back to elements, as far as they go: L(R(i)) = i for every i < size(R).
//
//     right_inverse((4,8):(8,1))           (8,4):(4,1)
//     right_inverse((2,4):(1,4))           2:1                  nothing lies at 2
//     right_inverse((3,2):(1,2))           (2,2):(1,3)          cut from 3:1 so that 2:2 can follow
//     right_inverse(8:2)                   1:0
//
// R's digits are digits of L one after another, each beginning where the ones before end; the last may be cut, an earlier one where another digit begins. R is
// the longest such list. Where L is injective and no stride is negative no other layout is longer either. CuTe takes each digit whole and the first of equal
// strides. A swizzled L without an offset, whose plain part is inverted in whole runs of its period, gives the swizzle back: it is an involution there;
// one that reaches every place below its size is inverted behind the swizzle that its digits make of it (algebra/inverse.hpp); where the plain run ends before
// the first place that the swizzle moves, it is the plain run.
//
//     right_inverse(Sw<1,1,2> o 0 o (4,8):(8,1))        Sw<1,0,-3> o 0 o (8,4):(4,1)
//
// Refused: an offset, a swizzle that does not come out.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/algebra/inverse.hpp>
#include <axe/cute/as_plain.hpp>
#include <axe/cute/composition.hpp>
#include <axe/cute/convert.hpp>

namespace axe::inline AXE_NAMESPACE::cute {

namespace detail {

/// Digits of L that follow one another from place 1 on, the longest list of them.
struct run_search {
  leaf_list digits;                    // extent, stride
  integer weight[capacity::shards]{};  // in an element's number
  leaf_list best{};
  integer longest = 1;

  AXE_FN constexpr void extend(integer place, unsigned used, leaf_list const& so_far, step_budget& steps) {
    if (!steps.take()) return;
    if (place > longest) {
      longest = place;
      best = so_far;
    }
    for (int k = 0; k < digits.size(); ++k) {
      if ((used >> k & 1) != 0 || digits[k].stride != place) continue;
      for (int other = -1; other < digits.size(); ++other) {
        integer extent = digits[k].extent;  // whole, or cut where another digit begins
        if (other >= 0) {
          integer const at = digits[other].stride;
          if (other == k || (used >> other & 1) != 0 || at <= place || at % place != 0 ||
              at / place >= extent)
            continue;
          extent = at / place;
        }
        leaf_list longer = so_far;
        add_coalesced(longer, {extent, weight[k]});
        extend(place * extent, used | 1u << k, longer, steps);
      }
    }
  }
};

AXE_FN constexpr outcome<layout> run_of(leaf_list const& leaves, step_budget& steps) {
  run_search search{coalesced(leaves)};
  integer weight = 1;
  for (int k = 0; k < search.digits.size(); ++k) {
    search.weight[k] = weight;
    weight *= search.digits[k].extent;
  }
  search.extend(1, 0, {}, steps);
  if (steps.taken > steps.allowed) return steps.refusal();
  return of_leaves(search.best);
}

/// Of a layout that reaches every place below its size once: the inverse, behind whichever swizzle it has.
AXE_FN constexpr outcome<layout> inverse_behind_swizzle(layout const& l, integer run, step_budget& steps) {
  if (run != size_of(l)) return refusal{rule::cute_is_composed};
  outcome<axe::layout> const flat = try_to_axe(of_leaves(l.leaves));
  if (!flat) return flat.why;
  axe::layout whole = *flat;
  whole.swizzle = l.swizzle;
  outcome<axe::layout> const back = try_inverse(whole, {axis::m}, steps);
  if (!back) return back.why.which == rule::undecided ? back.why : refusal{rule::cute_is_composed};
  return try_from_axe(*back);
}

/// f(f(i)) = i for i < n, and f keeps those among themselves.
AXE_FN constexpr bool turns_itself(axe::swizzle const& f, integer n) {
  return (f.S < 0 ? -f.S : f.S) >= f.B && n % f.period() == 0;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_right_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand); bad.which != rule::none) return bad;
  layout const l = detail::as_plain(operand);
  if (l.offset != 0) return refusal{rule::cute_is_composed};
  outcome<layout> const plain = detail::run_of(l.leaves, steps);
  if (!plain || l.swizzle.none()) return plain;
  // L = f o P: P^-1 o f, which a layout can say where P^-1 is one run.
  int const bits = detail::widening(plain->leaves);
  if (bits < 0 || !detail::turns_itself(l.swizzle, detail::size_of(*plain))) {
    outcome<layout> const behind = detail::inverse_behind_swizzle(l, detail::size_of(*plain), steps);
    // A run that ends before the first place that the swizzle moves ends there behind it too.
    int const first_moved = l.swizzle.M + (l.swizzle.S > 0 ? l.swizzle.S : 0);
    if (!behind && first_moved < 62 && detail::size_of(*plain) < integer{1} << first_moved) return plain;
    return behind;
  }
  layout swizzled = detail::single(detail::size_of(*plain), 1);
  swizzled.swizzle = l.swizzle;
  return detail::widen(swizzled, bits);
}

AXE_FN constexpr layout right_inverse(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_right_inverse(l, steps);
  detail::stop_on(result.why, "right_inverse", {});
  return *result;
}
AXE_CUTE_LIFT(right_inverse);

}  // namespace axe::inline AXE_NAMESPACE::cute
