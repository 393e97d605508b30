// SPDX-License-Identifier: MIT
// place_source: an operation's places by element and replica, the input of `fit`.
//
//     walked_places(swizzle(2,1,2) o S[(3,4):(16,1)], walk_of(12, 1)).at(5, 0)     21 = 17 ^ 4
//
// Definition: docs/algebra.md, D10.
#pragma once

#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A canonical layout as a function of element and replica.
struct layout_function {
  digit_function elements{{}};
  digit_function of_replica{{}};
  place start;
  axe::swizzle f{};
  integer count = 1;

  AXE_LAZY_FN constexpr explicit layout_function(layout const& l)
      : elements(l.shards), f(l.swizzle) {
    iter_list replicas;
    for (iter const& r : l.replicas) {
      replicas.push(r);
      if (count > 0 && !multiply(count, r.extent)) count = -1;
    }
    of_replica = digit_function(replicas);
    for (term const& t : l.offsets) start.add(t);
  }
  AXE_FN constexpr int cost() const { return elements.cost() + of_replica.cost() + 1; }
  AXE_LAZY_FN constexpr place operator()(integer x, integer j) const {
    place p = elements(x) + start;
    if (count != 1) p = p + of_replica(j);
    for (term& t : p.terms)
      if (t.is_on(axis::m)) t.n = f(t.n);
    return p;
  }
};

/// Virtual functions instead of templates: the engine is compiled once.
struct place_source {
  integer size = 1;
  integer count = 1;  // replicas, with repetitions, or -1 on overflow
  int cost = 1;       // steps per call
  interval on_m;      // contains all addresses

  AXE_LAZY_FN constexpr void count_pairs(layout_function const& outer,
                                         layout_function const& inner) {
    count = inner.count;
    if (count < 0 || outer.count < 0 || !multiply(count, outer.count)) count = -1;
    cost = outer.cost() + inner.cost();
  }
  AXE_FN virtual constexpr place at(integer x, integer j) const = 0;
  /// The next entry to compare, as fit_digits defines. Only for a source without replicas.
  AXE_FN virtual constexpr integer next(integer i, integer) const { return i; }
};

AXE_LAZY_FN constexpr interval swizzled_bound(interval reach, axe::swizzle f) {
  if (f.none()) return reach;
  integer const block = f.block();
  interval const blocks = reach.divided_by(block);
  return {blocks.least * block, blocks.largest * block + block - 1};
}
AXE_LAZY_FN constexpr interval address_bound(layout const& l) {
  return swizzled_bound(reach_before_swizzle(l, axis::m), l.swizzle);
}

struct axis_factors {
  list<term, capacity::axes> by;

  AXE_LAZY_FN constexpr integer operator[](axis a) const {
    for (term const& t : by)
      if (t.is_on(a)) return t.n;
    return 1;
  }
};

AXE_LAZY_FN constexpr refusal spans_of(layout const& l, axis_factors& spans) {
  for (axis a : axes_of(l)) {
    outcome<interval> const reach = reach_of(l, a);
    if (reach.why) return reach.why;
    spans.by.push({reach.value.span(), a});
  }
  return {};
}

AXE_LAZY_FN constexpr box_walk walk_of(integer size, integer pitch) {
  box_walk walk{digit_function({})};
  walk.box.push({size, pitch, axis::m});
  return walk;
}

/// The places (then(L(x)) - minus) / divisors along a walk.
struct walked_places : place_source {
  layout_function of;
  box_walk walk;
  axe::swizzle then{};
  place minus;
  axis_factors divisors;

  AXE_LAZY_FN constexpr walked_places(layout const& l, box_walk const& along) : of(l), walk(along) {
    size = walk.size();
    count = of.count;
    cost = of.cost() + walk.box.count;
    on_m = address_bound(l);
  }
  AXE_LAZY_FN constexpr place undivided(integer x, integer j) const {
    place p = of(walk.position(x), j);
    for (term& t : p.terms)
      if (t.is_on(axis::m)) t.n = then(t.n);
    for (term const& t : minus.terms) p = p - t;
    return p;
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    place p = undivided(x, j);
    for (term& t : p.terms) t.n /= divisors[t.on];
    return p;
  }
  AXE_LAZY_FN constexpr bool divides(step_limit& steps) const {
    for (integer x = 0; x < size; ++x)
      for (integer j = 0; j < count; ++j) {
        if (!steps.take(cost)) return true;
        for (term const& t : undivided(x, j).terms)
          if (t.n % divisors[t.on] != 0) return false;
      }
    return true;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
