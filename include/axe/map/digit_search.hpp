// SPDX-License-Identifier: MIT
// digit_search: the digits c_k of an element at place n. On each axis, the sum of c_k * s_k is
// n - O - r for some r in Delta(R).
//
//     D = (2:4 3:1), R = 2:10, place 16@m        digits (1,2)
//
// Definition: docs/algebra.md, D8.
#pragma once

#include <axe/map/coordinates.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct target {
  axis on = axis::null;
  integer left = 0;  // the sum that later digits and a replica must have
  sum_set replicas;
};

struct digit_search {
  iter_list digits;
  list<target, capacity::axes> targets;
  digit_list at;  // the last solution, or the values from which to search

  AXE_LAZY_FN constexpr void add(iter const& digit) {
    digits.push(digit);
    at.push(0);
  }

  AXE_LAZY_FN constexpr int target_of(iter const& i) const {
    if (i.stride == 0 || i.extent == 1) return -1;
    for (int t = 0; t < targets.count; ++t)
      if (i.is_on(targets[t].on)) return t;
    return -1;
  }

  /// The range of sums of digits from k on, on target t's axis.
  AXE_LAZY_FN constexpr interval sums_from(int k, int t) const {
    interval sum;
    for (int i = k; i < digits.count; ++i)
      if (target_of(digits[i]) == t) {
        integer const far = (digits[i].extent - 1) * digits[i].stride;
        sum.least += smaller(far, 0);
        sum.largest += larger(far, 0);
      }
    return sum;
  }

  AXE_LAZY_FN constexpr bool reached(step_limit& steps) const {
    for (target const& t : targets)
      if (!t.replicas.contains(t.left, steps)) return false;
    return !steps.spent();
  }

  /// Finds the first solution from `from` on, with fixed digits before k. `tight`: these equal
  /// those of `from`.
  AXE_LAZY_FN constexpr bool search(int k, digit_list const& from, bool tight, step_limit& steps) {
    if (k == digits.count) return reached(steps);
    if (!steps.take()) return false;
    iter const i = digits[k];
    int t = target_of(i);
    integer low = 0;
    integer high = i.extent - 1;
    if (t >= 0) {
      interval const rest = sums_from(k + 1, t);
      integer const least = targets[t].left - rest.largest - targets[t].replicas.largest();
      integer const most = targets[t].left - rest.least - targets[t].replicas.least;
      low =
          larger(low, i.stride > 0 ? ceil_divide(least, i.stride) : ceil_divide(-most, -i.stride));
      high = smaller(high,
                     i.stride > 0 ? floor_divide(most, i.stride) : floor_divide(-least, -i.stride));
    }
    if (tight) low = larger(low, from[k]);
    for (integer c = low; c <= high; ++c) {
      at[k] = c;
      if (t >= 0) targets[t].left -= c * i.stride;
      bool const found = search(k + 1, from, tight && c == from[k], steps);
      if (t >= 0) targets[t].left += c * i.stride;
      if (found) return true;
      if (steps.spent()) return false;
      // The place does not depend on this digit, so its other values fail too.
      if (t < 0 && !(tight && c == from[k])) break;
    }
    at[k] = 0;
    return false;
  }

  /// Advances to the first solution that is not before `at`.
  AXE_LAZY_FN constexpr bool find(step_limit& steps) {
    digit_list const from = at;
    return search(0, from, true, steps);
  }
  AXE_LAZY_FN constexpr bool find() {
    step_limit unbounded(largest);
    return find(unbounded);
  }

  /// Goes to the next digits in row-major order. False after the last.
  AXE_LAZY_FN constexpr bool step() {
    for (int k = digits.count - 1; k >= 0; --k) {
      if (++at[k] < digits[k].extent) return true;
      at[k] = 0;
    }
    return false;
  }
};

/// Sets the targets for place p. False if p is outside the reach of l.
AXE_LAZY_FN constexpr bool set_targets(layout const& l, place const& p, digit_search& s) {
  for (term const& t : p.terms) {
    target aimed;
    aimed.on = t.on;
    aimed.left = t.is_on(axis::m) ? l.swizzle.inverse(t.n) : t.n;
    interval const reach = reach_before_swizzle(l, t.on);
    if (aimed.left < reach.least || aimed.left > reach.largest)
      return false;  // no element, and the search could overflow
    aimed.left -= l.offset(t.on);
    aimed.replicas = sums_on(l.replicas, t.on);
    s.targets.push(aimed);
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
