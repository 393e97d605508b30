// SPDX-License-Identifier: MIT
// inverse(L, (a, b, …)): maps a place on the named axes to the number of its element, on m.
//
//     inverse(S[(4,8):(1,4)], (m))                                   S[(8,4):(1,8)]
//     inverse(swizzle(3,3,3) o S[(64,64):(64,1)], (m))     swizzle(M=3,B=3,S=3) o S[4096:1]
//
// Each place between the smallest and largest one on these axes must hold exactly one element.
// Input 0 of the inverse is the smallest place.
// Source: CuTe's right_inverse, for several axes. Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/construct/carrier.hpp>
#include <axe/engine/element_search.hpp>
#include <axe/engine/fit.hpp>
#include <axe/map/coverage.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct box_side {
  axis on = axis::null;
  integer begin = 0;
  integer positions = 1;
};
using box_sides = list<box_side, capacity::axes>;

/// Rejects digits on other axes.
AXE_LAZY_FN constexpr refusal sides_of(layout const& l, axis_list const& named, box_sides& sides) {
  if (named.count == 0) return {rule::box_without_axes};
  integer size = 1;
  for (axis a : named) {
    if (any_on(sides, a)) return {rule::box_names_an_axis_twice, {}, {a}};
    outcome<interval> const reach = reach_of(l, a);
    if (reach.why) return reach.why;
    integer const positions = reach->span();
    if (!multiply(size, positions)) return {rule::result_size_overflows, {size, positions}};
    sides.push({a, reach->least, positions});
  }
  integer weight = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    weight /= i.extent;
    if (i.extent > 1 && (i.stride == 0 || !any_on(sides, i.on)))
      return {rule::elements_not_told_apart, {0, weight}};
  }
  return {};
}

/// Inverts the digits on one axis. False unless each stride, in ascending order, is the product of
/// the extents before it. Adds the element at the smallest place to `start`.
AXE_LAZY_FN constexpr bool turn_side(layout const& l, box_side const& side, digit_builder& in_order,
                                     integer& start) {
  element_search const digits(l, side.on);
  start += digits.origin;
  integer next = 1;
  for (counted_digit const& d : digits.sorted) {
    if (d.stride != next) return false;
    next *= d.extent;
  }
  for (int k = digits.sorted.count - 1; k >= 0; --k) {
    counted_digit const& d = digits.sorted[k];
    in_order.push({d.extent, d.weight, d.weight == 0 ? axis::null : axis::m});
  }
  return next == side.positions;
}

/// The element at place number x of the box, row-major. Each place of the box holds exactly one
/// element.
struct element_at : place_source {
  layout l;
  box_sides sides;

  AXE_FN constexpr element_at(layout const& of, box_sides const& box) : l(of), sides(box) {
    for (box_side const& s : sides) size *= s.positions;
    cost = 4 * l.shards.count + 4;
    on_m = {0, product_of_extents(l.shards) - 1};
  }
  AXE_FN constexpr place place_at(integer x) const {
    place p;
    for (box_side const& s : sides) p.terms.push({0, s.on});
    for (int i = sides.count - 1; i >= 0; --i) {
      p.terms[i].n = sides[i].begin + x % sides[i].positions;
      x /= sides[i].positions;
    }
    return p;
  }
  AXE_FN constexpr place at(integer x, integer) const override {
    element_range const there({l, shape(product_of_extents(l.shards)), place_at(x)});
    place p;
    p.terms.push({there.empty() ? 0 : there.front().index, axis::m});
    return p;
  }
};

/// True if L has one digit of stride 1, the swizzle f is its own inverse, and the offset o is a
/// multiple of f's period. Then f(o + f(x)) = o + x.
AXE_LAZY_FN constexpr bool inverts_itself(layout const& l, box_sides const& sides) {
  axe::swizzle const f = l.swizzle;
  if (f.none() || (f.S < 0 ? -f.S : f.S) < f.B || sides.count != 1 || sides[0].on != axis::m ||
      l.replicas.count != 0)
    return false;
  if (l.shards.count != 1 || l.shards[0].stride != 1 || l.offset(axis::m) % f.period() != 0)
    return false;
  return sides[0].begin == l.offset(axis::m) && sides[0].positions == l.shards[0].extent;
}

/// A component of a place without an element: no element has it on that axis. Axes are searched
/// alone because they are independent.
AXE_LAZY_FN constexpr term empty_component(layout const& l, place const& p) {
  for (term const& t : p.terms) {
    step_limit own;
    digit_search search = search_on(l, t.on);
    search.steps = &own;
    search.targets[0].left = swizzle_on(l, t.on).inverse(t.n) - l.offset(t.on);
    if (!search.find() && !search.out_of_steps()) return t;
  }
  return p.terms[0];
}

AXE_LAZY_FN constexpr refusal holds_one_each(element_at const& at, step_limit& steps) {
  for (integer x = 0; x < at.size; ++x) {
    steps.taken += at.cost;
    if (!steps.take()) return steps.refusal();
    place const p = at.place_at(x);
    element_range const there({at.l, shape(product_of_extents(at.l.shards)), p});
    auto i = there.begin();
    if (i == there.end()) {
      term const empty = empty_component(at.l, p);
      return {rule::hole_in_the_box, {empty.n}, {empty.on}};
    }
    integer const first = (*i).index;
    if (++i != there.end())
      return {rule::contested_in_the_box, {p.terms[0].n, first, (*i).index}, {p.terms[0].on}};
  }
  return {};
}

AXE_LAZY_FN constexpr outcome<layout> inverse_of(outcome<layout> const& canonical,
                                                 axis_list const& named, step_limit steps) {
  box_sides sides;
  if (!canonical) return canonical;
  if (refusal const bad = sides_of(*canonical, named, sides)) return bad;
  layout turned;
  digit_builder in_order;
  integer start = 0;
  bool direct = canonical->swizzle.none();
  for (int i = 0; i < sides.count && direct; ++i)
    direct = turn_side(*canonical, sides[i], in_order, start);
  if (direct) {
    if (refusal const bad = in_order.finish(turned.shards)) return bad;
    push_offset(turned, start, axis::m);
    return canonical_result(turned);
  }
  if (inverts_itself(*canonical, sides)) {
    turned.swizzle = canonical->swizzle;
    turned.shards = canonical->shards;
    return turned;
  }
  element_at const at(*canonical, sides);
  if (refusal const bad = holds_one_each(at, steps)) return bad;
  return fit(at, canonical->swizzle, {}, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_inverse(layout const& l, axis_list const& named,
                                                  step_limit steps = {}) {
  return detail::inverse_of(try_canonicalize(l), named, steps);
}

AXE_LAZY_FN constexpr layout inverse(layout const& l, detail::stl::initializer_list<axis> named) {
  axis_list axes;
  for (axis a : named) axes.push(a);
  auto const result = try_inverse(l, axes);
  detail::stop_on(result.why, "inverse", {&l});
  return result.value;
}
AXE_CARRIER_FORM(inverse);

}  // namespace AXE_NAMESPACE
}  // namespace axe
