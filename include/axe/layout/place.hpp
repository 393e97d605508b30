// SPDX-License-Identifier: MIT
// A place: one integer for each axis, where an element lies.
//
//     8*lane + 6*warp + 1*reg          register 1 in lane 8 of warp 6
//
// A place is 0 on an axis that it does not name: 8*lane == 8*lane + 0*warp.
// Definition: docs/algebra.md, D1.
#pragma once

#include <axe/base/axis.hpp>
#include <axe/base/checked.hpp>
#include <axe/base/list.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// n@axis: a stride, an offset, or a component of a place.
struct term {
  integer n = 0;
  axis on = axis::null;

  constexpr term() = default;
  AXE_FN constexpr term(integer steps, axis a) : n(steps), on(a) {}
  /// A bare number is on m, a bare 0 on no axis.
  AXE_FN constexpr term(integer steps) : n(steps), on(steps == 0 ? axis::null : axis::m) {}

  AXE_FN constexpr bool is_on(axis a) const { return detail::same(on, a); }
  constexpr bool operator==(term const&) const = default;
};

AXE_FN constexpr term operator*(integer n, axis a) { return {n, a}; }
AXE_FN constexpr term operator*(axis a, integer n) { return {n, a}; }

namespace detail {
AXE_FN inline void a_component_of_a_place_leaves_64_bits_or_a_17th_axis_is_named() { halt(); }
}  // namespace detail

AXE_FN constexpr term operator-(term t) {
  if (t.n == detail::smallest)
    detail::a_component_of_a_place_leaves_64_bits_or_a_17th_axis_is_named();
  return {-t.n, t.on};
}

namespace capacity {
inline constexpr int shards = 24;   // iters in D
inline constexpr int replicas = 8;  // iters in R
inline constexpr int offsets = 8;   // axes in O
inline constexpr int axes = 16;     // axes that a layout names
}  // namespace capacity

namespace detail {
AXE_FN constexpr bool any_on(auto const& entries, axis a) {
  for (int k = 0; k < entries.count; ++k)
    if (same(entries.at[k].on, a)) return true;
  return false;
}
}  // namespace detail

/// At most 16 axes, in the order of first use.
struct place {
  list<term, capacity::axes> terms;

  constexpr place() = default;
  AXE_FN constexpr place(term t) { add_named(t); }
  AXE_FN constexpr place(initializer_list<term> sum) {
    for (term const& t : sum)
      if (!add_named(t)) detail::a_component_of_a_place_leaves_64_bits_or_a_17th_axis_is_named();
  }

  AXE_FN constexpr integer operator[](axis a) const {
    for (term const& t : terms)
      if (t.is_on(a)) return t.n;
    return 0;
  }
  AXE_FN constexpr bool names(axis a) const { return detail::any_on(terms, a); }
  /// Ignores the null axis. False, without a change, on overflow and for a 17th axis.
  AXE_FN constexpr bool add(term t) {
    if (t.is_on(axis::null)) return true;
    for (term& named : terms)
      if (named.is_on(t.on)) return detail::add(named.n, t.n);
    return terms.push(t);
  }
  /// Reads a bare 0, as in `0 + 1@lane`, as 0@m.
  AXE_FN constexpr bool add_named(term t) {
    return add({t.n, t.n == 0 && t.is_on(axis::null) ? axis::m : t.on});
  }

  AXE_FN friend constexpr bool operator==(place const& a, place const& b) {
    for (term const& t : a.terms)
      if (b[t.on] != t.n) return false;
    for (term const& t : b.terms)
      if (a[t.on] != t.n) return false;
    return true;
  }
};

AXE_FN constexpr place operator+(place p, term t) {
  if (!p.add_named(t)) detail::a_component_of_a_place_leaves_64_bits_or_a_17th_axis_is_named();
  return p;
}
AXE_FN constexpr place operator+(term a, term b) { return place(a) + b; }
AXE_FN constexpr place operator-(place const& p, term t) { return p + -t; }
AXE_FN constexpr place operator-(term a, term b) { return place(a) - b; }
AXE_FN constexpr place operator+(place p, place const& q) {
  for (term const& t : q.terms) p = p + t;
  return p;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
