// SPDX-License-Identifier: MIT
// listed_places: a list of places. replicas_of: the replicas R that produce it.
//
//     {0, 1, 3, 4}                    R[2:1] + R[2:3]
//
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/engine/set_search.hpp>
#include <axe/layout/place.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using listed_values = list<integer, 256>;

/// Has the members of sum_set that same_set and set_search use.
struct value_set {
  listed_values values;  // ascending
  integer least = 0;

  AXE_LAZY_FN constexpr int lower_bound(integer v) const {
    int low = 0;
    int high = values.count;
    while (low < high) {
      int const middle = (low + high) / 2;
      if (values[middle] < v)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  AXE_LAZY_FN constexpr bool add(integer v) {
    int at = lower_bound(v);
    return (at < values.count && values[at] == v) || values.insert(at, v);
  }
  static constexpr integer none = detail::largest;
  AXE_LAZY_FN constexpr integer at_least(integer v, step_limit&) const {
    int at = lower_bound(v);
    return at < values.count ? values[at] : none;
  }
  AXE_LAZY_FN constexpr bool contains(integer v, step_limit&) const {
    int at = lower_bound(v);
    return at < values.count && values[at] == v;
  }
  AXE_FN constexpr integer largest() const { return values.back(); }
  /// Every sum set has this symmetry.
  AXE_LAZY_FN constexpr bool symmetric() const {
    for (int i = 0; i < values.count; ++i)
      if (values[i] + values[values.count - 1 - i] != largest()) return false;
    return true;
  }
  AXE_FN constexpr bool gap_ok() const { return false; }
};
AXE_FN constexpr bool same_iters(sum_set const&, value_set const&) { return false; }

/// The components of places on each axis, minus the smallest.
struct listed_places {
  axis_list axes;
  list<value_set, 8> values;
  place least;

  AXE_LAZY_FN constexpr integer combinations() const {
    integer product = 1;
    for (value_set const& v : values)
      if (!multiply(product, v.values.count)) return detail::largest;
    return product;
  }
  /// The row-major number of p - from among all combinations, or -1 if a component is not listed.
  AXE_LAZY_FN constexpr integer number_of(place const& p, place const& from,
                                          step_limit& steps) const {
    integer n = 0;
    for (int i = 0; i < axes.count; ++i) {
      integer const v = p[axes[i]] - from[axes[i]];
      if (!values[i].contains(v, steps)) return -1;
      n = n * values[i].values.count + values[i].lower_bound(v);
    }
    return n;
  }
};

/// The smallest component on each axis of at(0) to at(count - 1).
AXE_FN constexpr place corner_of(auto const& at, integer count) {
  place least = at(0);
  for (integer j = 1; j < count; ++j) {
    place const p = at(j);
    for (term& t : least.terms) t.n = smaller(t.n, p[t.on]);
  }
  return least;
}

AXE_FN constexpr bool list_places(auto const& at, integer count, listed_places& out) {
  out.least = corner_of(at, count);
  if (out.least.terms.count > out.values.capacity) return false;
  for (term const& t : out.least.terms) {
    out.axes.push(t.on);
    out.values.push({});
  }
  for (integer j = 0; j < count; ++j) {
    place const p = at(j);
    for (int i = 0; i < out.axes.count; ++i)
      if (!out.values[i].add(p[out.axes[i]] - out.least[out.axes[i]])) return false;
  }
  return true;
}

/// True if the places at(j) are all combinations of the components in `set`, plus `from`.
AXE_FN constexpr bool is_product(listed_places const& set, auto const& at, integer count,
                                 place const& from, step_limit& steps) {
  integer const wanted = set.combinations();
  if (wanted > count) return false;
  for (integer first = 0; first < wanted; first += 4096) {
    if (first > 0 && !steps.take(count)) return false;
    bool seen[4096]{};
    integer missing = smaller(wanted - first, 4096);
    for (integer j = 0; j < count; ++j) {
      place const p = at(j);
      integer const n = set.number_of(p, from, steps);
      if (n < 0) return false;
      if (n < first || n - first >= 4096) continue;
      bool& mark = seen[n - first];
      missing -= mark ? 0 : 1;
      mark = true;
    }
    if (missing > 0) return false;
  }
  return true;
}

AXE_LAZY_FN constexpr refusal replicas_of(listed_places const& set, replica_iters& out,
                                          step_limit& steps) {
  for (int i = 0; i < set.axes.count; ++i) {
    if (!set.values[i].symmetric()) return {rule::no_layout_replicas, {0}};
    set_search<value_set> search;
    search.whole = set.values[i];
    search.steps = &steps;
    refusal const bad = search.find_fewest_iters(set.axes[i]);
    if (bad.is(rule::no_replicas_fit)) return {rule::no_layout_replicas, {0}};
    if (bad) return bad;
    if (refusal const full = push_replicas(out, search.found, set.axes[i])) return full;
  }
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
