// SPDX-License-Identifier: MIT
// A sum set: the replicas on one axis, Delta = { sum of j_t * s_t : 0 <= j_t < e_t }.
//
//     (2:4) and (3:1)    {0,1,2,4,5,6}     (2:1) and (2:3)    {0,1,3,4}
//
// The iters are saturated: strides are positive and ascend, and (e1:s)(e2:k*s) becomes
// (e1 + k*(e2-1) : s) if 1 <= k <= e1.
// Source: the Axe paper, Appendix A, with this condition. Definition: docs/algebra.md, D5.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A saturated iter: extent >= 2 and stride >= 1.
struct run {
  integer extent = 1;
  integer stride = 0;

  AXE_FN friend constexpr bool operator==(run const&, run const&) = default;
};

/// A sum set with its smallest sum. `full` means that more iters than the capacity were added.
template <int Capacity> struct sum_set_of {
  integer least = 0;
  list<run, Capacity> runs;
  bool full = false;

  AXE_FN constexpr integer reach(int count) const {
    integer sum = 0;
    for (int i = 0; i < count; ++i) sum += (runs[i].extent - 1) * runs[i].stride;
    return sum;
  }
  AXE_FN constexpr integer largest() const { return least + reach(runs.count); }

  AXE_FN constexpr void add(integer extent, integer stride) {
    if (extent == 1 || stride == 0) return;
    if (stride < 0) {
      if (!detail::add(least, (extent - 1) * stride)) full = true;
      stride = -stride;
    }
    int at = 0;
    while (at < runs.count && runs[at].stride < stride) ++at;
    if (!runs.insert(at, {extent, stride})) full = true;
  }

  template <class Iters> AXE_FN constexpr void add_on(axis a, Iters const& iters) {
    for (iter const& i : iters)
      if (i.on == a) add(i.extent, i.stride);
  }

  AXE_FN constexpr void saturate() {
    for (int base = 0; base < runs.count; ++base)
      for (int other = base + 1; other < runs.count; ++other) {
        integer const k = runs[other].stride / runs[base].stride;
        if (runs[other].stride % runs[base].stride != 0 || k > runs[base].extent) continue;
        runs[base].extent += k * (runs[other].extent - 1);
        runs.erase(other);
        base = -1;  // restart: the longer run may absorb more, or be absorbed
        break;
      }
  }

  /// True if s_{i+1} >= e_i * s_i for all runs. No other list then has the same set.
  AXE_FN constexpr bool gap_ok() const {
    for (int i = 0; i + 1 < runs.count; ++i)
      if (runs[i + 1].stride / runs[i].extent < runs[i].stride) return false;
    return true;
  }

  static constexpr integer none = detail::largest;

  AXE_FN constexpr integer least_from(int count, integer v, integer reach_of_count,
                                      step_limit& steps) const {
    if (v <= 0) return 0;
    if (v > reach_of_count) return none;
    run const r = runs[count - 1];
    integer const rest = reach_of_count - (r.extent - 1) * r.stride;
    integer best = none;
    // A digit with c * stride >= best cannot be better.
    for (integer c = larger(0, ceil_divide(v - rest, r.stride));
         c < r.extent && c * r.stride < best; ++c) {
      if (!steps.take()) return best;
      integer const found = least_from(count - 1, v - c * r.stride, rest, steps);
      if (found != none) best = smaller(best, c * r.stride + found);
    }
    return best;
  }

  AXE_FN constexpr integer at_least(integer v, step_limit& steps) const {
    integer const all = reach(runs.count);
    if (v <= least) return least;
    if (v > least + all) return none;
    integer const found = least_from(runs.count, v - least, all, steps);
    return found == none ? none : least + found;
  }

  AXE_FN constexpr bool contains(integer v, step_limit& steps) const {
    return at_least(v, steps) == v;
  }

  /// The number of sums, by a formula if the list is gap_ok, otherwise by enumeration.
  AXE_FN constexpr integer count(step_limit& steps) const {
    integer n = gap_ok() ? 1 : 0;
    if (n == 1)
      for (run const& r : runs) n *= r.extent;
    else
      for (integer v = least; v != none && steps.take(); v = at_least(v + 1, steps)) ++n;
    return n;
  }

  AXE_FN friend constexpr bool operator==(sum_set_of const&, sum_set_of const&) = default;
};

using sum_set = sum_set_of<capacity::replicas>;
using wide_sum_set = sum_set_of<2 * capacity::replicas>;

template <class Iters> AXE_FN constexpr sum_set sums_on(Iters const& iters, axis a) {
  sum_set set;
  set.add_on(a, iters);
  set.saturate();
  return set;
}

template <class Iters, class More>
AXE_FN constexpr wide_sum_set sums_on_wide(Iters const& iters, More const& more, axis a) {
  wide_sum_set set;
  set.add_on(a, iters);
  set.add_on(a, more);
  set.saturate();
  return set;
}

/// Appends runs as replicas on an axis, their strides divided by `unit`.
template <class Runs>
AXE_FN constexpr refusal push_replicas(list<iter, capacity::replicas>& into, Runs const& runs,
                                       axis on, integer unit = 1) {
  for (int i = 0; i < runs.count; ++i) {
    run const& r = runs.at[i];
    if (!into.push({r.extent, r.stride / unit, on}))
      return {rule::too_many_replicas, {into.count + 1}};
  }
  return {};
}

AXE_LAZY_FN constexpr refusal push_offset(layout& into, integer n, axis on) {
  if (n != 0 && !into.offsets.push({n, on}))
    return {rule::too_many_offsets, {into.offsets.count + 1}};
  return {};
}

template <class A, class B> AXE_FN constexpr bool same_runs(A const& a, B const& b) {
  if (a.least != b.least || a.runs.count != b.runs.count) return false;
  for (int i = 0; i < a.runs.count; ++i)
    if (!(a.runs[i] == b.runs[i])) return false;
  return true;
}

/// True if two lists have the same set of sums. If both are gap_ok, comparing the lists decides;
/// otherwise the sums are enumerated.
template <class A, class B>
AXE_FN constexpr outcome<bool> same_set(A const& a, B const& b, step_limit& steps) {
  if (same_runs(a, b)) return true;
  if (a.least != b.least || a.largest() != b.largest()) return false;
  if (a.gap_ok() && b.gap_ok()) return false;
  for (integer v = a.least; v <= a.largest(); ++v) {
    integer const next_a = a.at_least(v, steps);
    integer const next_b = b.at_least(v, steps);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (next_a != next_b) return false;
    v = next_a;
    if (v == detail::largest) break;
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
