// SPDX-License-Identifier: MIT
// inverse(L, (a, b, …)): maps a place on the named axes to its element's number, on m.
//
//     inverse(S[(4,8):(1,4)], (m))                                   S[(8,4):(1,8)]
//
// Input 0 is the smallest place. Each place up to the largest must hold one element.
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/group.hpp>
#include <axe/engine/element_search.hpp>
#include <axe/engine/fit.hpp>
#include <axe/map/coverage.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr refusal sides_of(layout const& l, axis_list const& named, box& sides) {
  integer size = 1;
  for (axis a : named) {
    if (any_on(sides.axes, a)) return {rule::box_names_an_axis_twice, {}, {a}};
    outcome<interval> const reach = reach_of(l, a);
    if (reach.why) return reach.why;
    integer const positions = reach.value.span();
    if (!multiply(size, positions)) return {rule::result_size_overflows, {size, positions}};
    sides.axes.push({a, positions, reach.value.least});
  }
  integer weight = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    weight /= i.extent;
    if (i.extent > 1 && (i.stride == 0 || !any_on(sides.axes, i.on)))
      return {rule::elements_not_told_apart, {0, weight}};
  }
  return {};
}

/// False if the digits leave holes or overlap. Adds the element at the smallest place to `start`.
AXE_LAZY_FN constexpr bool invert_side(layout const& l, box_axis const& side,
                                       digit_builder& in_order, integer& start) {
  element_search const digits(l, side.on);
  start += digits.origin;
  integer whole = side.positions;
  for (int k = digits.sorted.count - 1; k >= 0; --k) {
    counted_digit const& d = digits.sorted[k];
    if (whole % d.extent != 0 || whole / d.extent != d.stride) return false;
    in_order.push({d.extent, d.weight, axis::m});
    whole = d.stride;
  }
  return whole == 1;
}

/// The first element at place x of the box, counted row-major.
struct element_at : place_source {
  layout l;
  box sides;

  AXE_LAZY_FN constexpr element_at(layout const& of, box const& whole) : l(of), sides(whole) {
    for (box_axis const& s : sides.axes) size *= s.positions;
    cost = 4 * l.shards.count + 4;
    on_m = {0, product_of_extents(l.shards) - 1};
  }
  AXE_FN constexpr place at(integer x, integer) const override {
    place in_box, p;
    for (int i = sides.axes.count - 1; i >= 0; --i) {
      box_axis const& s = sides.axes[i];
      in_box.terms.push({s.begin + x % s.positions, s.on});
      x /= s.positions;
    }
    element_range const there({l, shape(product_of_extents(l.shards)), in_box});
    p.terms.push({there.empty() ? 0 : there.front().index, axis::m});
    return p;
  }
};

/// If true, f(o + f(x)) = o + x for L's swizzle f and offset o.
AXE_LAZY_FN constexpr bool inverts_itself(layout const& l, box const& sides) {
  axe::swizzle const f = l.swizzle;
  if (f.none() || magnitude(f.S) < f.B || sides.axes.count != 1 ||
      !same(sides.axes[0].on, axis::m) || l.replicas.count != 0)
    return false;
  if (l.shards.count != 1 || l.shards[0].stride != 1 || l.offset(axis::m) % f.period() != 0)
    return false;
  return sides.axes[0].begin == l.offset(axis::m) && sides.axes[0].positions == l.shards[0].extent;
}

AXE_LAZY_FN constexpr refusal check_one_element_each(valid_layout canonical, box const& sides,
                                                     step_limit steps) {
  outcome<coverage_answer> const shown = coverage_of(canonical, sides, steps);
  if (shown.why) return shown.why;
  axis const first = sides.axes[0].on;
  switch (shown->how) {
    case covered::contested:
      return {rule::contested_in_the_box, {shown->at[first], shown->first, shown->second}, {first}};
    case covered::holes:
      for (box_axis const& s : sides.axes)  // the corner of the box holds an element
        if (integer const n = shown->at[s.on]; n != s.begin)
          return {rule::hole_in_the_box, {n}, {s.on}};
      return {};
    default: return {};
  }
}

/// True if g(D(x)) = D(f^-1(x)) on one period of f, for the swizzle g and the digits D of `l`. If
/// strides are powers of two, both sides are linear over F2: comparing bits suffices.
AXE_LAZY_FN constexpr bool permutes_bits_of(axe::swizzle f, layout const& l) {
  for (iter const& i : l.shards)
    if (!is_power_of_two(i.stride)) return false;
  digit_function const to(l.shards);
  for (integer bit = 1; bit < f.period(); bit *= 2)
    if (l.swizzle(to(bit)[axis::m]) != to(f.inverse(bit))[axis::m]) return false;
  return true;
}

/// Inverts one period of f, and repeats the result at the strides of `plain`, the inverse without
/// f. The result has the swizzle g, which is f with its bits moved as `plain` moves them, or f if g
/// is invalid. Precondition: places fill whole periods.
AXE_LAZY_FN constexpr outcome<layout> inverse_by_periods(layout const& plain, element_at at,
                                                         axe::swizzle f, step_limit& steps) {
  integer const periods = at.size / f.period();
  at.size = f.period();
  outcome<layout> const cut = group_of(valid_layout::proved(plain), {periods, at.size});
  if (!cut) return cut;
  layout outer;
  layout first;
  for (int k = 0; k < cut->shards.count; ++k)
    (k < cut->blocks[0] ? outer : first).shards.push(cut->shards[k]);
  digit_function const to(plain.shards);
  auto const moved = [&](integer bit) {
    return ceil_log2(magnitude(to(integer{1} << bit)[axis::m]));
  };
  int const low = moved(f.M), high = moved(f.M + magnitude(f.S));
  axe::swizzle const g{low < high ? low : high, f.B, f.S < 0 ? low - high : high - low};
  first.swizzle = g.valid() ? g : f;
  if (permutes_bits_of(f, first)) {
    outer.offsets = plain.offsets;
  } else {
    outcome<layout> const searched = fit_behind(at, first.swizzle, steps);
    if (!searched) return searched;
    first = *searched;
  }
  return plain_sum_of(valid_layout::proved(outer), {}, valid_layout::proved(first),
                      interleave({periods}, {at.size}), steps);
}

AXE_LAZY_FN constexpr outcome<layout> inverse_of(outcome<layout> const& canonical,
                                                 axis_list const& named, step_limit steps) {
  box sides;
  if (!canonical) return canonical;
  if (refusal const bad = sides_of(*canonical, named, sides)) return bad;
  if (sides.axes.count == 0) return layout{};
  layout inverted;
  digit_builder in_order;
  integer start = 0;
  axe::swizzle const f = canonical->swizzle;
  bool direct = f.none() || axis_positions(*canonical, axis::m).fill(f.period());
  for (int i = 0; i < sides.axes.count && direct; ++i)
    direct = invert_side(*canonical, sides.axes[i], in_order, start);
  if (direct) {
    if (refusal const bad = in_order.finish(inverted.shards)) return bad;
    add_to_offset(inverted, start, axis::m);
    if (f.none()) return canonical_result(inverted);
  }
  element_at const at(*canonical, sides);
  if (inverts_itself(*canonical, sides)) {
    inverted = *canonical;
    inverted.offsets.clear();
    return inverted;
  }
  if (direct) {
    step_limit own_steps = steps;
    outcome<layout> const repeated = inverse_by_periods(inverted, at, f, own_steps);
    if (repeated) return repeated;
  }
  if (refusal const bad = check_one_element_each(canonical, sides, steps)) return bad;
  return fit(at, f, {}, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_inverse(layout const& l, axis_list const& named,
                                                  step_limit steps = {}) {
  return detail::inverse_of(try_canonicalize(l), named, steps);
}

AXE_LAZY_FN constexpr layout inverse(layout const& l, initializer_list<axis> named) {
  return detail::stop_on(try_inverse(l, named), "inverse", {&l});
}
AXE_CARRIER_FORM(inverse);

}  // namespace AXE_NAMESPACE
}  // namespace axe
