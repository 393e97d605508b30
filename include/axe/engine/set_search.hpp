// SPDX-License-Identifier: MIT
// set_search: the replicas C with Delta(C) + B = T, for sets B and T on one axis.
//
//     T = (4:1), B = (2:1)       C = (3:1), or (2:2) if strides must be multiples of 2
//
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Whole is sum_set or value_set.
template <class Whole> struct set_search {
  Whole whole;       // T, starts at 0
  sum_set part;      // B, starts at 0
  integer unit = 1;  // divides all strides of C
  step_limit* steps = nullptr;
  list<sum_iter, capacity::replicas> found;  // C

  AXE_FN constexpr sum_set sum() const {
    sum_set s = part;
    for (sum_iter const& r : found) s.add(r.extent, r.stride);
    s.saturate();
    return s;
  }

  AXE_FN constexpr bool inside(sum_set const& s) const {
    for (integer v = 0; v != sum_set::none; v = s.at_least(v + 1, *steps))
      if (!steps->take() || !whole.contains(v, *steps)) return false;
    return true;
  }

  /// The smallest value >= v of T that s lacks, for a v in T.
  AXE_FN constexpr integer missing(sum_set const& s, integer v) const {
    while (v != sum_set::none && steps->take() && s.contains(v, *steps))
      v = whole.at_least(v + 1, *steps);
    return v;
  }

  /// Adds at most `left` iters with strides from `least` on. All values of T below `covered` are
  /// sums already.
  AXE_FN constexpr bool choose(int left, integer least, integer covered = 0) {
    integer const room = whole.largest() - sum().largest();
    if (room == 0) {
      outcome<bool> const same = same_set(sum(), whole, *steps);
      return !same.why && *same;
    }
    if (left == 0) return false;
    // The smallest missing value needs an iter with at most this stride.
    covered = missing(sum(), covered);
    integer const most = smaller(room, covered);
    for (integer s = whole.at_least(least, *steps); s <= most; s = whole.at_least(s + 1, *steps)) {
      if (!steps->take()) return false;
      if (s % unit != 0 || (left == 1 && room % s != 0)) continue;
      // The last iter must reach the largest value.
      found.push({left == 1 ? room / s + 1 : 2, s});
      for (; found.back().extent - 1 <= room / s && inside(sum()); ++found.back().extent)
        if (choose(left - 1, s + 1, covered)) return true;
      found.pop();
      if (steps->spent()) return false;
    }
    return false;
  }

  AXE_FN constexpr refusal find_fewest_iters(axis on) {
    refusal const none{rule::no_replicas_fit, {}, {on}};
    if (whole.largest() < part.largest() || (whole.largest() - part.largest()) % unit != 0)
      return none;
    found.clear();
    for (int count = 0; count <= 2; ++count)
      if (choose(count, 1)) return {};
    if (!choose(found.capacity, 1)) return steps->spent() ? steps->refusal() : none;
    auto const any = found;
    for (int count = 3; count < any.count; ++count) {
      found.clear();
      if (choose(count, 1)) return {};
    }
    found = any;
    return {};
  }

  /// Removes B's iters from T's. False if T lacks one.
  AXE_FN constexpr bool subtract() {
    auto rest = whole.iters;
    for (sum_iter const& r : part.iters) {
      int at = 0;
      while (at < rest.count && !(rest[at] == r)) ++at;
      if (at == rest.count) return false;
      rest.erase(at);
    }
    found.clear();
    for (sum_iter const& r : rest)
      if (r.stride % unit != 0 || !found.push(r)) return false;
    return true;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
