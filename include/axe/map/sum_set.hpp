// A sum set: what replicas reach on one axis, Delta = { sum of j_t * s_t : 0 <= j_t < e_t }, and
// exact questions about it.
//
//     (2:4) and (3:1)    {0,1,2,4,5,6}          gap_ok: 4 >= 3 * 1, so the list is the only one for its set
//     (2:1) and (2:3)    {0,1,3,4}              not {0..4}: 3 > 2, no absorbing
//     (2:1) and (4:3)    {0,1,3,4,…,10}         kept as two: 3 > 2
//
// Iters are saturated: extent 1 and stride 0 gone, strides positive (a negative one moves the
// start), ascending, and (e1:s)(e2:k*s) absorbed into (e1 + k*(e2-1) : s) where 1 <= k <= e1, and
// only there (docs/algebra.md, "Canonical form").
// Definition: docs/algebra.md, D5.
// Source: the definition of Delta(R) (D3); absorbing under a guard is a correction
// (docs/algebra.md).
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/map/steps.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// One saturated iter; e >= 2 and s >= 1.
struct run {
  integer extent = 1;
  integer stride = 0;

  AXE_FN friend constexpr bool operator==(run const&, run const&) = default;
};

/// Capacity counts iters before saturating; `full` says that there were more, and whoever adds must
/// ask.
template <int Capacity> struct sum_set_of {
  integer least = 0;         // where the set starts
  list<run, Capacity> runs;  // strides ascending, saturated
  bool full = false;

  /// Largest element minus least, over runs [0, count).
  AXE_FN constexpr integer reach(int count) const {
    integer sum = 0;
    for (int i = 0; i < count; ++i) sum += (runs[i].extent - 1) * runs[i].stride;
    return sum;
  }
  AXE_FN constexpr integer largest() const { return least + reach(runs.size()); }

  /// Adds one iter, unsaturated.
  AXE_FN constexpr void add(integer extent, integer stride) {
    if (extent == 1 || stride == 0) return;
    if (stride < 0) {
      if (!detail::add(least, (extent - 1) * stride)) full = true;
      stride = -stride;
    }
    int at = 0;
    while (at < runs.size() && runs[at].stride < stride) ++at;
    if (!runs.insert(at, {extent, stride})) full = true;
  }

  /// Absorbs until no pair can be, smallest base first.
  AXE_FN constexpr void saturate() {
    for (int base = 0; base < runs.size(); ++base)
      for (int other = base + 1; other < runs.size(); ++other) {
        integer const k = runs[other].stride / runs[base].stride;
        if (runs[other].stride % runs[base].stride != 0 || k > runs[base].extent) continue;
        runs[base].extent += k * (runs[other].extent - 1);
        runs.erase(other);
        base = -1;  // a longer base may now absorb what it could not, and be absorbed itself
        break;
      }
  }

  /// Sorted strides satisfy s_{i+1} >= e_i * s_i: no element has two digit vectors, and no other
  /// saturated list has this set.
  AXE_FN constexpr bool gap_ok() const {
    for (int i = 0; i + 1 < runs.size(); ++i)
      if (runs[i + 1].stride / runs[i].extent < runs[i].stride) return false;
    return true;
  }

  static constexpr integer none = detail::largest;

  /// The least sum >= v of runs [0, count), `none` when there is none. reach_of_count =
  /// reach(count).
  AXE_FN constexpr integer least_from(int count, integer v, integer reach_of_count,
                                      step_budget& steps) const {
    if (v <= 0) return 0;
    if (v > reach_of_count) return none;
    run const r = runs[count - 1];
    integer const rest = reach_of_count - (r.extent - 1) * r.stride;
    integer best = none;
    // Digits ascend: once c * stride alone reaches the best, no later one is better.
    for (integer c = larger(0, ceil_divide(v - rest, r.stride));
         c < r.extent && c * r.stride < best; ++c) {
      if (!steps.take()) return best;
      integer const found = least_from(count - 1, v - c * r.stride, rest, steps);
      if (found != none) best = smaller(best, c * r.stride + found);
    }
    return best;
  }

  /// The least element >= v, or `none`.
  AXE_FN constexpr integer at_least(integer v, step_budget& steps) const {
    integer const all = reach(runs.size());
    if (v <= least) return least;
    if (v > least + all) return none;
    integer const found = least_from(runs.size(), v - least, all, steps);
    return found == none ? none : least + found;
  }

  AXE_FN constexpr bool contains(integer v, step_budget& steps) const {
    return at_least(v, steps) == v;
  }

  AXE_FN friend constexpr bool operator==(sum_set_of const&, sum_set_of const&) = default;
};

/// The replicas of one layout; of the sum of two.
using sum_set = sum_set_of<capacity::replicas>;
using wide_sum_set = sum_set_of<2 * capacity::replicas>;

template <class Iters> AXE_FN constexpr sum_set sums_on(Iters const& iters, axis a) {
  sum_set set;
  for (iter const& i : iters)
    if (i.on == a) set.add(i.extent, i.stride);
  set.saturate();
  return set;
}

template <class Iters, class More>
AXE_FN constexpr wide_sum_set sums_on_wide(Iters const& iters, More const& more, axis a) {
  wide_sum_set set;
  for (iter const& i : iters)
    if (i.on == a) set.add(i.extent, i.stride);
  for (iter const& i : more)
    if (i.on == a) set.add(i.extent, i.stride);
  set.saturate();
  return set;
}

template <class A, class B> AXE_FN constexpr bool same_runs(A const& a, B const& b) {
  if (a.least != b.least || a.runs.size() != b.runs.size()) return false;
  for (int i = 0; i < a.runs.size(); ++i)
    if (!(a.runs[i] == b.runs[i])) return false;
  return true;
}

/// Are two sets the same? Lists first, the unique ones decide at once; then both are walked,
/// element by element.
template <class A, class B>
AXE_FN constexpr outcome<bool> same_set(A const& a, B const& b, step_budget& steps) {
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
