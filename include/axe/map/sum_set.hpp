// SPDX-License-Identifier: MIT
// sum_set: the places that the iters (e_t : s_t) of R produce on one axis, the set
// { least + sum of j_t * s_t : 0 <= j_t < e_t }.
//
//     (3:1) and (2:4), least 0        {0,1,2,4,5,6}
//
// Strides are positive and ascend. Definition: docs/algebra.md, D5.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// In a sum_set, extent >= 2 and stride >= 1.
struct sum_iter {
  integer extent = 1;
  integer stride = 0;

  constexpr bool operator==(sum_iter const&) const = default;
};

/// `overflowed`: the iters exceed the capacity, or `least` overflowed.
template <int Capacity> struct sum_set_of {
  integer least = 0;
  list<sum_iter, Capacity> iters;
  bool overflowed = false;

  AXE_FN constexpr integer largest() const {
    integer sum = least;
    for (int k = 0; k < iters.count; ++k) sum += (iters.at[k].extent - 1) * iters.at[k].stride;
    return sum;
  }

  AXE_FN constexpr void add(integer extent, integer stride) {
    if (extent == 1 || stride == 0) return;
    if (stride < 0) {
      if (!detail::add(least, (extent - 1) * stride)) overflowed = true;
      stride = -stride;
    }
    int at = 0;
    while (at < iters.count && iters.at[at].stride < stride) ++at;
    if (!iters.insert(at, {extent, stride})) overflowed = true;
  }

  AXE_FN constexpr void add_on(axis a, auto const& more) {
    for (iter const& i : more)
      if (i.is_on(a)) add(i.extent, i.stride);
  }

  /// Fuses pairs of iters as in D5, until the list is saturated: no pair can fuse.
  AXE_FN constexpr void saturate() {
    for (int base = 0; base < iters.count; ++base)
      for (int other = base + 1; other < iters.count; ++other) {
        integer const k = iters[other].stride / iters[base].stride;
        if (iters[other].stride % iters[base].stride != 0 || k > iters[base].extent) continue;
        iters[base].extent += k * (iters[other].extent - 1);
        iters.erase(other);
        base = -1;  // restart: the longer iter may fuse again
        break;
      }
  }

  /// True if s_{i+1} >= e_i * s_i for all iters. A saturated list is then unique for its set.
  AXE_FN constexpr bool gap_ok() const {
    for (int i = 0; i + 1 < iters.count; ++i)
      if (iters[i + 1].stride / iters[i].extent < iters[i].stride) return false;
    return true;
  }

  static constexpr integer none = detail::largest;

  /// The smallest sum >= v of the first `count` iters, or `none`. `largest_sum`: their largest
  /// sum.
  AXE_FN constexpr integer least_from(int count, integer v, integer largest_sum,
                                      step_limit& steps) const {
    if (v <= 0) return 0;
    if (v > largest_sum) return none;
    sum_iter const r = iters[count - 1];
    integer const rest = largest_sum - (r.extent - 1) * r.stride;
    integer best = none;
    for (integer c = larger(0, ceil_divide(v - rest, r.stride));
         c < r.extent && c * r.stride < best; ++c) {
      if (!steps.take()) return best;
      integer const found = least_from(count - 1, v - c * r.stride, rest, steps);
      if (found != none) best = smaller(best, c * r.stride + found);
    }
    return best;
  }

  AXE_FN constexpr integer at_least(integer v, step_limit& steps) const {
    integer const most = largest();
    if (v <= least) return least;
    if (v > most) return none;
    integer const found = least_from(iters.count, v - least, most - least, steps);
    return found == none ? none : least + found;
  }

  AXE_FN constexpr bool contains(integer v, step_limit& steps) const {
    return v != none && at_least(v, steps) == v;
  }

  AXE_FN constexpr integer count(step_limit& steps) const {
    integer n = 0;
    if (!gap_ok()) {
      for (integer v = least; v != none && steps.take(); v = at_least(v + 1, steps)) ++n;
      return n;
    }
    n = 1;
    for (sum_iter const& r : iters) n *= r.extent;
    return n;
  }

  constexpr bool operator==(sum_set_of const&) const = default;
};

/// Large enough for the replicas of two layouts.
using sum_set = sum_set_of<2 * capacity::replicas>;

AXE_FN constexpr sum_set sums_on(auto const& iters, axis a) {
  sum_set set;
  set.add_on(a, iters);
  set.saturate();
  return set;
}

AXE_FN constexpr refusal push_replicas(replica_iters& into, auto const& iters, axis on,
                                       integer unit = 1) {
  for (int i = 0; i < iters.count; ++i) {
    sum_iter const& r = iters.at[i];
    if (!into.push({r.extent, r.stride / unit, on})) return {rule::too_many_replicas};
  }
  return {};
}

AXE_FN constexpr bool same_iters(sum_set const& a, sum_set const& b) {
  return a.least == b.least && a.iters == b.iters;
}

/// Precondition: both are saturated. Two sets that meet the gap condition are equal only if their
/// iters are.
AXE_FN constexpr outcome<bool> same_set(auto const& a, auto const& b, step_limit& steps) {
  if (same_iters(a, b)) return true;
  if (a.least != b.least || a.largest() != b.largest()) return false;
  if (a.gap_ok() && b.gap_ok()) return false;
  for (integer v = a.least; v <= a.largest(); ++v) {
    integer const next_a = a.at_least(v, steps);
    integer const next_b = b.at_least(v, steps);
    if (steps.spent()) return steps.refusal();
    if (next_a != next_b) return false;
    v = next_a;
    if (v == detail::largest) break;
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
