// SPDX-License-Identifier: MIT
// compose(A, B): the layout C with C(x) = A(B(x)), for a B on one axis.
// compose(swizzle, L): L with the swizzle applied to its addresses.
//
//     compose(S[(4,8):(8,1)], S[4:8])               S[4:8]
//
// Definition: docs/algebra.md, D15.
#pragma once

#include <axe/algebra/pack.hpp>
#include <axe/engine/compose_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct composed_places : place_source {
  layout_function outer;
  layout_function inner;
  axis along;

  AXE_LAZY_FN constexpr composed_places(layout const& a, layout const& b, axis on)
      : outer(a), inner(b), along(on) {
    size = product_of_extents(b.shards);
    count_pairs(outer, inner);
    on_m = address_bound(a);
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    return outer(inner(x, j / outer.count)[along], j % outer.count);
  }
  /// A digit of B visits elements of A at equal distances, so that next_new_step applies.
  AXE_FN constexpr integer next(integer i, integer spacing) const override {
    if (i <= 8) return i;
    iter_list const& digits = inner.elements.digits;
    digit_boundaries const boundaries(digits);
    int k = digits.count - 1;
    while (k >= 0 && boundaries.positions[k] <= spacing) --k;
    integer const whole = k < 0 ? 1 : boundaries.positions[k];
    integer const below = k < 0 ? 1 : boundaries.positions[k + 1];
    bool const in_one_digit = k >= 0 && whole % spacing == 0 && spacing % below == 0;
    bool const swizzled = !outer.f.none() || !inner.f.none();
    if (!in_one_digit || swizzled) return i;
    integer const entries = whole / spacing;
    integer begin = inner(i / entries * whole, 0)[along];
    integer pitch = spacing / below * digits[k].stride;
    if (pitch < 0) {  // count elements from the end of A, so that they ascend
      begin = product_of_extents(outer.elements.digits) - 1 - begin;
      pitch = -pitch;
    }
    integer const in_digit = next_new_step(outer.elements.digits, begin, pitch, i % entries);
    return i / entries * entries + smaller(in_digit, entries);
  }
};

/// True if A is one digit n:2^k on m, which maps a swizzle of B to one with M + k for M.
AXE_LAZY_FN constexpr bool widens_swizzles(layout const& a) {
  return a.swizzle.none() && a.shards.count == 1 && a.shards[0].is_on(axis::m) &&
         is_power_of_two(a.shards[0].stride);
}
AXE_LAZY_FN constexpr outcome<layout> widen_swizzle(layout const& a, layout const& b, axis along,
                                                    step_limit& steps) {
  layout wide = b;
  if (refusal const bad = widen(wide, a.shards[0].stride, along)) return bad;
  valid_layout inner;
  if (refusal const bad = inner.admit(wide)) return bad;
  layout outer;
  outer.replicas = a.replicas;
  outer.offsets = a.offsets;
  return sum_of(valid_layout::proved(outer), {}, inner,
                interleave({1}, {product_of_extents(wide.shards)}), steps);
}

AXE_LAZY_FN constexpr outcome<layout> compose_by_fit(layout const& a, layout const& b, axis along,
                                                     step_limit& steps) {
  layout outer = a;
  replica_iters kept;
  if (b.replicas.count == 0) {
    kept = a.replicas;
    outer.replicas.clear();
  }
  composed_places const source(outer, b, along);
  outcome<layout> const composed = fit_behind(source, a.swizzle, steps, kept);
  if (composed || !is_about_the_map(composed.why.which) || (a.swizzle.none() && b.swizzle.none()))
    return composed;
  return fit(composed_places(a, b, along), a.swizzle, b.swizzle, steps);
}

/// The digits and replicas of A(B(x)), cut from A's digits. False if B's digits do not cut them
/// evenly, or if the replicas are too many.
AXE_LAZY_FN constexpr bool cut_composition(layout const& a, layout const& b, integer begin,
                                           digit_builder& digits, digit_builder& replicas) {
  if (!b.swizzle.none()) return false;
  iter_list replicas_of_b;
  for (iter const& r : b.replicas) replicas_of_b.push(r);
  if (!compose_digits(a.shards, b.shards, digits, begin, replicas_of_b)) return false;
  if (b.replicas.count != 0 && !compose_digits(a.shards, replicas_of_b, replicas, begin, b.shards))
    return false;
  return replicas.left_out == 0 && a.replicas.count + replicas.done.count <= capacity::replicas;
}

/// Precondition: both are canonical, and all places of B are elements of A.
AXE_LAZY_FN constexpr outcome<layout> compose_canonical(layout const& a, layout const& b,
                                                        axis along, step_limit& steps) {
  if (!b.swizzle.none() && widens_swizzles(a)) {
    outcome<layout> const widened = widen_swizzle(a, b, along, steps);
    if (widened) return widened;
  }
  integer const begin = b.offset(along);
  digit_builder digits, replicas;
  if (!cut_composition(a, b, begin, digits, replicas)) return compose_by_fit(a, b, along, steps);
  layout composed = a;
  for (iter const& r : replicas.done) composed.replicas.push(r);
  if (refusal const bad = digits.finish(composed.shards)) return bad;
  if (begin != 0)
    if (refusal const bad = add_offset(composed, digit_function(a.shards)(begin))) return bad;
  return finished(composed);
}

AXE_LAZY_FN constexpr outcome<layout> compose_of(valid_layout operand, valid_layout inner,
                                                 step_limit steps) {
  layout const& a = operand;
  outcome<layout> const canonical_inner = canonical(inner);
  if (!canonical_inner) return of_operand(1, canonical_inner.why);
  layout const& b = *canonical_inner;
  axis_list const axes = axes_of(b);
  if (axes.count > 1) return refusal{rule::inner_on_several_axes, {}, {axes[0], axes[1]}};
  axis const along = axes.count == 0 ? axis::null : axes[0];  // null if B is constant
  outcome<interval> const reach = reach_of(b, along);
  if (reach.why) return of_operand(1, reach.why);
  integer const size_a = product_of_extents(a.shards);
  if (reach.value.least < 0 || reach.value.largest >= size_a)
    return refusal{rule::inner_leaves_the_outer,
                   {reach.value.least, reach.value.largest, size_a - 1}};
  outcome<layout> const canonical_outer = canonical(operand);
  if (!canonical_outer) return canonical_outer;
  return compose_canonical(*canonical_outer, b, along, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_compose(layout const& a, layout const& b,
                                                  step_limit steps = {}) {
  detail::valid_layout outer, inner;
  if (refusal const bad = detail::admit_both(outer, a, inner, b)) return bad;
  return detail::compose_of(outer, inner, steps);
}

AXE_LAZY_FN constexpr layout compose(layout const& a, layout const& b) {
  return detail::stop_on(try_compose(a, b), "compose", {&a, &b});
}
AXE_CARRIER_FORM(compose);

/// Rejects a second swizzle unless a layout with at most one has the same places.
AXE_LAZY_FN constexpr outcome<layout> try_compose(axe::swizzle const& f, layout const& l,
                                                  step_limit steps = {}) {
  using namespace detail;
  valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  layout done = l;
  if (!f.none()) done.swizzle = f;
  if (refusal const bad = check_result(done)) return bad;
  if (l.swizzle.none() || f.none()) return done;
  outcome<layout> const form = canonical(operand);
  if (!form) return form;
  done = *form;
  if (done.swizzle.none()) {
    done.swizzle = f;
    return done;
  }
  walked_places twice(done, walk_of(product_of_extents(done.shards), 1));
  twice.then = f;
  twice.on_m = swizzled_bound(twice.on_m, f);
  axe::swizzle const g = done.swizzle;
  integer const period = larger(f.period(), g.period());
  // Swizzles are linear over F2: comparing bits suffices.
  auto const is_composition = [&](axe::swizzle h) {
    for (int b = 0; b < 48; ++b)  // the longest period is 2^48
      if (h(integer{1} << b) != f(g(integer{1} << b))) return false;
    done.swizzle = h;
    return true;
  };
  bool const composes = any_swizzle(f, g, ceil_log2(period), false, is_composition, true);
  if (composes && twice.size >= period) return canonical_result(done);
  // Inside one period, a layout without a swizzle may have the same places.
  outcome<layout> const fitted = fit(twice, f, g, steps);
  return composes && !fitted ? canonical_result(done) : found_or(fitted, {rule::already_swizzled});
}
AXE_LAZY_FN constexpr layout compose(axe::swizzle const& f, layout const& l) {
  return detail::stop_on(try_compose(f, l), "compose", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
