// SPDX-License-Identifier: MIT
// elements(L, S, place): the elements that have a place equal to `place` on its axes.
//
//     tile = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, shape (8,16)
//     elements(tile, {8,16}, 8*lane + 6*warp)      (2,8) and (2,9), in row-major order
//
// The range searches for the next element (map/solve.hpp).
// Source: the inverse image of a place under the map. Definition: docs/algebra.md, D8.
#pragma once

#include <axe/map/places.hpp>
#include <axe/map/solve.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct element {
  integer index = 0;  // row-major in the shape
  coordinate at;      // shaped like it
  placement where;
};

class element_range {
 public:
  struct iterator {
    element_range const* of = nullptr;
    detail::digit_search found;
    bool done = true;

    AXE_FN constexpr element operator*() const {
      integer x = 0;
      for (int k = 0; k < found.digits.size(); ++k) x = x * found.digits[k].extent + found.at[k];
      return {x, detail::coordinate_of(of->seen_as, x), detail::place_digits(of->of, found.at)};
    }
    AXE_FN constexpr iterator& operator++() {
      done = !(found.step() && found.find());
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& a, iterator const& b) {
      return a.done == b.done && (a.done || a.found.at == b.found.at);
    }
  };

  AXE_FN constexpr iterator begin() const {
    iterator i{this, start, false};
    i.done = !reachable || !i.found.find();
    return i;
  }
  AXE_FN constexpr iterator end() const { return {this, detail::digit_search{}, true}; }

  AXE_FN constexpr bool empty() const { return begin() == end(); }
  /// Requires an element.
  AXE_FN constexpr element front() const { return *begin(); }
  /// O(elements).
  AXE_FN constexpr integer size() const {
    integer n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

  /// False if the step limit stops the search for the first element.
  AXE_FN constexpr bool first_within(step_limit& steps) const {
    detail::digit_search bounded = start;
    bounded.steps = &steps;
    return !reachable || bounded.find() || !bounded.out_of_steps();
  }

  constexpr element_range() = default;
  AXE_FN constexpr element_range(layout const& l, shape const& s, place const& p)
      : of(l), seen_as(s) {
    for (iter const& i : l.shards) {
      start.digits.push(i);
      start.at.push(0);
    }
    reachable = detail::aim(l, p, start);
  }

 private:
  layout of;
  shape seen_as;
  detail::digit_search start;
  bool reachable = true;
};

AXE_LAZY_FN constexpr outcome<element_range> try_elements(layout const& l, shape const& s,
                                                          place const& p = {},
                                                          step_limit steps = {}) {
  if (refusal const bad = check(l)) return bad;
  detail::extent_list extents;
  if (refusal const bad = detail::admit(l, s, extents)) return bad;
  element_range const range(l, s, p);
  if (!range.first_within(steps)) return steps.refusal();
  return range;
}

AXE_LAZY_FN constexpr element_range elements(layout const& l, shape const& s, place const& p = {}) {
  outcome<element_range> const result = try_elements(l, s, p);
  detail::stop_on(result.why, "elements", {&l, nullptr, &s});
  return *result;
}

AXE_LAZY_FN constexpr outcome<bool> try_owner_has(layout const& l, shape const& s, place const& p,
                                                  coordinate const& c, step_limit steps = {}) {
  outcome<placement> const where = try_places(l, s, c);
  if (!where) return where.why;
  for (term const& t : p.terms) {
    integer const n = t.on == axis::m ? l.swizzle.inverse(t.n) : t.n;
    bool const there = where->on(t.on).contains(n, steps);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (!there) return false;
  }
  return true;
}

AXE_LAZY_FN constexpr bool owner_has(layout const& l, shape const& s, place const& p,
                                     coordinate const& c, step_limit steps = {}) {
  outcome<bool> const result = try_owner_has(l, s, p, c, steps);
  detail::stop_on(result.why, "owner_has", {&l, nullptr, &s, &c});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
