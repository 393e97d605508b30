// Which digits put an element at a place? The search behind `elements`, `owned_by` and `coverage`.
//
//     D = (8:4@lane 2:1@warp 4:1@lane), R = 2:4@warp, O = 5@warp, place 8@lane + 6@warp       digits (2,1,0), nothing else
//
// On every axis that the place names, sum c_k * s_k = n - O - r for some r in Delta(R). Digits are
// chosen slowest first, each only in the range from which the later digits and the replicas of its
// axis can still reach the target, so solutions come in ascending order. Lists whose strides nest
// take about one step a digit; others may take many, so whoever asks about all places of a box sets
// a bound.
// Definition: docs/algebra.md, D8.
// Source: ours, branch and bound: a digit takes only values from which the later ones still reach
// the target.
#pragma once

#include <axe/map/coordinates.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// One axis of the place: what is left to reach, and what the replicas add.
struct target {
  axis on = axis::null;
  integer left = 0;
  sum_set copies;
};

struct digit_search {
  iter_list digits;  // those that may move; others stand at 0
  list<target, capacity::axes> targets;
  digit_list at;                 // the solution found last
  step_budget* steps = nullptr;  // the bound, if there is one

  AXE_FN constexpr bool out_of_steps() const {
    return steps != nullptr && steps->taken > steps->allowed;
  }

  /// Which target a digit moves, or -1: a digit on an axis that the place does not name, or with
  /// stride 0, is free.
  AXE_FN constexpr int target_of(iter const& i) const {
    if (i.stride == 0) return -1;
    for (int t = 0; t < targets.size(); ++t)
      if (targets[t].on == i.on) return t;
    return -1;
  }

  /// What digits from k on contribute to a target, at least and at most.
  AXE_FN constexpr interval later(int k, int t) const {
    interval sum;
    for (int i = k; i < digits.size(); ++i)
      if (target_of(digits[i]) == t) {
        integer const far = (digits[i].extent - 1) * digits[i].stride;
        sum.least += smaller(far, 0);
        sum.largest += larger(far, 0);
      }
    return sum;
  }

  AXE_FN constexpr bool reached() const {
    step_budget unbounded(largest);
    for (target const& t : targets)
      if (!t.copies.contains(t.left, steps != nullptr ? *steps : unbounded)) return false;
    return !out_of_steps();
  }

  /// The first solution from digits `from` on (slowest digit first; `tight` while equal to them),
  /// into `at`.
  AXE_FN constexpr bool search(int k, digit_list const& from, bool tight) {
    if (k == digits.size()) return reached();
    if (steps != nullptr && !steps->take()) return false;
    iter const i = digits[k];
    int const t = target_of(i);
    integer low = 0;
    integer high = i.extent - 1;
    if (t >= 0) {
      interval const rest = later(k + 1, t);
      integer const least = targets[t].left - rest.largest - targets[t].copies.largest();
      integer const most = targets[t].left - rest.least - targets[t].copies.least;
      low =
          larger(low, i.stride > 0 ? ceil_divide(least, i.stride) : ceil_divide(-most, -i.stride));
      high = smaller(high,
                     i.stride > 0 ? floor_divide(most, i.stride) : floor_divide(-least, -i.stride));
    }
    if (tight) low = larger(low, from[k]);
    for (integer c = low; c <= high; ++c) {
      at[k] = c;
      if (t >= 0) targets[t].left -= c * i.stride;
      bool const found = search(k + 1, from, tight && c == from[k]);
      if (t >= 0) targets[t].left += c * i.stride;
      if (found) return true;
      if (out_of_steps()) return false;
      // A free digit changes nothing below it: what failed without a lower bound fails for all of
      // them.
      if (t < 0 && !(tight && c == from[k])) break;
    }
    at[k] = 0;
    return false;
  }

  /// Moves `at` to the first solution that is not before it.
  AXE_FN constexpr bool find() {
    digit_list const from = at;
    return search(0, from, true);
  }

  /// Steps `at` by one, row-major; false past the end.
  AXE_FN constexpr bool step() {
    for (int k = digits.size() - 1; k >= 0; --k) {
      if (++at[k] < digits[k].extent) return true;
      at[k] = 0;
    }
    return false;
  }
};

/// Sets up the targets that a place names. False when the place asks the impossible of an axis that
/// l does not reach at all is left to the search; what is refused is only arithmetic: a component
/// so far away that subtracting the offset leaves 64 bits reaches nothing.
AXE_PLANNER constexpr bool aim(layout const& l, place const& p, digit_search& s) {
  for (term const& t : p.terms) {
    target aimed;
    aimed.on = t.on;
    aimed.left = t.on == axis::m ? l.swizzle.inverse(t.n) : t.n;
    interval reach;
    plain_reach(l, t.on, reach);
    if (aimed.left < reach.least || aimed.left > reach.largest)
      return false;  // nothing is there, and the search cannot overflow
    aimed.left -= l.offset(t.on);
    aimed.copies = sums_on(l.replicas, t.on);
    s.targets.push(aimed);
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
