// SPDX-License-Identifier: MIT
// fit_carry_free: a layout G with G(L(x)) = x for an L without a swizzle. The cost does not depend
// on L's size. Places of L do not carry over a boundary b between digits of G:
// least % b + sum of (extent - 1) * (stride % b) < b. So each iter of L gives an equation for the
// strides of G. Definition: docs/algebra.md, D22.
//
//     L = S[(19,2):(15,3684)]      boundaries 1 | 15 | 3675, G = S[(2,245,15):(1,2,0)]
#pragma once

#include <axe/engine/element_search.hpp>
#include <axe/engine/integer_solutions.hpp>
#include <axe/engine/place_boundaries.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct carry_free_search {
  element_search elements;
  boundaries bounds{};
  layout found{};

  /// True if places carry over m times the last boundary. They also do for all smaller m above
  /// `next`, because n % m grows while m shrinks, until n / m changes.
  AXE_FN constexpr bool carries(integer m, integer& next) const {
    auto const with_larger_quotient = [m](integer n) { return n / (n / m + 1); };
    integer const least = elements.least / bounds.last();
    integer reached = least % m;
    next = with_larger_quotient(least);
    integer one_carries_above = m;  // at every larger m, one digit alone carries
    for (counted_digit const& d : elements.sorted) {
      integer const stride = d.stride / bounds.last();
      integer const rests = (d.extent - 1) * (stride % m);
      reached += rests;
      next = larger(next, with_larger_quotient(stride));
      if (rests >= m) one_carries_above = smaller(one_carries_above, with_larger_quotient(stride));
    }
    if (reached >= m) next = smaller(next, one_carries_above);
    return reached >= m;
  }

  /// `missing`: the first digit without a solution.
  AXE_FN constexpr bool solves(int& missing, step_limit& steps) {
    integer_solutions strides(bounds.count + 1);
    for (missing = 0; missing < elements.sorted.count; ++missing) {
      integer digits[integer_solutions::most]{};
      bounds.digits_of(elements.sorted[missing].stride, digits);
      if (!strides.add(digits, elements.sorted[missing].weight, steps)) return false;
    }
    outcome<layout> const fitted =
        bounds.digits(strides.particular, elements.least + elements.largest_minus_least())
            .behind({}, 0);
    if (!fitted || check(*fitted)) return false;
    found = *fitted;
    set_offset(found, elements.origin - place_of(found, elements.least));
    return !check(found);
  }

  AXE_FN constexpr bool find(step_limit& steps) {
    int missing = 0;
    if (solves(missing, steps)) return true;
    if (missing == elements.sorted.count) return false;
    integer next = 0;
    for (integer m = elements.sorted[missing].stride / bounds.last(); m >= 2; m = next) {
      if (!steps.take(1 + elements.sorted.count / 4)) return false;
      if (carries(m, next) || !bounds.push(m * bounds.last())) continue;
      if (find(steps)) return true;
      bounds.pop();
    }
    return false;
  }
};

AXE_FN constexpr bool fit_carry_free(layout const& l, layout& result, step_limit& steps) {
  step_limit share((steps.allowed - steps.taken) / 2);
  carry_free_search search{element_search(l)};
  bool const is_found = search.find(share);
  steps.taken += share.taken;
  if (is_found) result = search.found;
  return is_found;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
