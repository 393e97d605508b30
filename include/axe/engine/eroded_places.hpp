// SPDX-License-Identifier: MIT
// eroded_places: the erosion of T by a known operand K. For each element x it is the set of all a
// for which a + K is a subset of T(x).
//
//     T(x) = {4, 6, 20, 22}, K = {0, 2}        {4, 20}
//
// If T(x) = A(x) + K, the erosion contains A(x). Definition: docs/algebra.md, D12.
#pragma once

#include <axe/engine/fit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Caches the last erosion, because place_source::at is const.
struct eroded_set {
  integer element = -1;
  value_set places;
};

/// For each x, all a with missing_scale * a + known_scale * K(y) in T(x, y) for every y.
struct eroded_places : place_source {
  layout_function of;
  box_walk walk;
  layout_function known;
  box_walk along_known;
  integer known_scale = 1;
  integer missing_scale = 1;
  bool has_other_axes = false;  // T does, besides m
  eroded_set* cache;

  AXE_LAZY_FN constexpr eroded_places(layout const& t, box_walk const& along, layout const& l,
                                      box_walk const& other, eroded_set& last)
      : of(t), walk(along), known(l), along_known(other), cache(&last) {
    size = walk.size();
    count = of.count;
  }

  /// Sets `on_m` and `cost`. False on overflow or too many replicas. Precondition: K is on m.
  AXE_LAZY_FN constexpr bool prepare(layout const& t, layout const& l) {
    int const most = cache->places.values.capacity;
    if (known.count < 1 || known.count > most || count < 1 || count > most) return false;
    has_other_axes = !same(axis_beside_memory(t), axis::null);
    if (has_other_axes) count *= of.count;
    interval of_known = address_bound(l);
    on_m = address_bound(t);
    if (!multiply(of_known.least, known_scale) || !multiply(of_known.largest, known_scale))
      return false;
    integer highest = of_known.largest;  // becomes max(erosion) + max(K)
    if (of_known.least == smallest || !add(highest, -of_known.least) ||
        !add(highest, on_m.largest) || !add(on_m.least, -of_known.largest) ||
        !add(on_m.largest, -of_known.least))
      return false;
    on_m = on_m.divided_by(missing_scale);
    cost = (of.cost() + known.cost()) * static_cast<int>(smaller(along_known.size(), 1 << 20));
    return true;
  }

  /// Lists T's places at (x, y) in `whole` and those of known_scale * K(y) in `part`.
  AXE_LAZY_FN constexpr void list_replicas(integer x, integer y, value_set& whole,
                                           value_set& part) const {
    for (integer j = 0; j < count; ++j)
      whole.add(of(walk.position(x) + along_known.position(y), j)[axis::m]);
    for (integer j = 0; j < known.count; ++j) part.add(known(y, j)[axis::m] * known_scale);
  }
  AXE_LAZY_FN constexpr void erode(integer x) const {
    listed_values& candidates = cache->places.values;
    step_limit unbounded;
    for (integer y = 0; y < along_known.size(); ++y) {
      value_set whole;
      value_set part;
      list_replicas(x, y, whole, part);
      if (y == 0) {
        candidates.clear();
        for (integer v : whole.values)
          if ((v - part.values[0]) % missing_scale == 0)
            candidates.push((v - part.values[0]) / missing_scale);
      }
      for (int i = candidates.count - 1; i >= 0; --i)
        for (integer k : part.values)
          if (!whole.contains(candidates[i] * missing_scale + k, unbounded)) {
            candidates.erase(i);
            break;
          }
    }
    cache->element = x;
  }
  /// True if each place of T at x is the sum of one of `places`, scaled, and one of K.
  AXE_LAZY_FN constexpr bool covered(integer x, listed_values const& places) const {
    step_limit unbounded;
    for (integer y = 0; y < along_known.size(); ++y) {
      value_set whole;
      value_set part;
      list_replicas(x, y, whole, part);
      for (integer v : whole.values) {
        bool is_sum = false;
        for (int i = 0; i < places.count && !is_sum; ++i)
          is_sum = part.contains(v - places[i] * missing_scale, unbounded);
        if (!is_sum) return false;
      }
    }
    return true;
  }
  /// True if erosion + K = T.
  AXE_LAZY_FN constexpr bool adds_up_to_t(step_limit& steps) const {
    for (integer x = 0; x < size; ++x) {
      if (!steps.take(cost * of.count)) return false;
      erode(x);
      if (cache->places.values.count == 0 || !covered(x, cache->places.values)) return false;
    }
    return true;
  }
  /// Place j of the erosion, or its last place if it has fewer, with T's replicas on other axes.
  AXE_FN constexpr place at(integer x, integer j) const override {
    if (x != cache->element) erode(x);
    listed_values const& places = cache->places.values;
    integer const most = of.count;
    integer const on_memory = smaller(has_other_axes ? j % most : j, places.count - 1);
    integer const n = places[static_cast<int>(on_memory)];
    if (!has_other_axes) return place(term{n, axis::m});
    place p = of(walk.position(x), j / most);
    return p + place(term{n - p[axis::m], axis::m});
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
