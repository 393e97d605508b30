// SPDX-License-Identifier: MIT
// direct_sum(A, S_A, B, S_B): the layout L with L(p,q) = A(p) + B(q).
//
//     direct_sum(S[(2,2):(8,2)], (2,2), S[(2,2):(4,1)], (2,2))      S[16:1]
//
// Definition: docs/algebra.md, D11.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/engine/check_sum_swizzle.hpp>
#include <axe/engine/fit.hpp>
#include <axe/engine/interleave.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Multiplies digits and replicas by sigma. Leaves offsets, because a scaled offset may overflow
/// although the sum does not.
AXE_LAZY_FN constexpr refusal scale_strides(layout const& l, axis_factors const& sigma,
                                            layout& scaled) {
  scaled.shards = canonical_shards(l.shards);
  for (iter const& r : l.replicas)
    if (r.extent > 1 && r.stride != 0) scaled.replicas.push(r);
  if (sigma.by.count != 0) {
    for (iter& i : scaled.shards)
      if (!multiply(i.stride, sigma[i.on])) return {rule::result_places_overflow, {}, {i.on}};
    for (iter& r : scaled.replicas)
      if (!multiply(r.stride, sigma[r.on])) return {rule::result_places_overflow, {}, {r.on}};
    if (refusal const bad = check_result(scaled)) return bad;
  }
  scaled.offsets = l.offsets;
  return {};
}

AXE_LAZY_FN constexpr refusal scale_offsets(axis_factors const& sigma, layout& scaled) {
  for (term& o : scaled.offsets)
    if (!multiply(o.n, sigma[o.on])) return {rule::result_places_overflow, {}, {o.on}};
  return check_result(scaled);
}

AXE_LAZY_FN constexpr refusal sum_replicas_and_offsets(layout const& a, axis_factors const& sigma,
                                                       layout const& b, layout& into) {
  bool const digits_only = !has_replicas_or_offset(a) && !has_replicas_or_offset(b);
  if (digits_only && a.shards.count + b.shards.count <= capacity::axes) return {};
  axis_list axes;
  if (!note_axes(axes, a) || !note_axes(axes, b)) return {rule::result_too_many_axes};
  if (digits_only) return {};
  axis_reaches reaches;  // rejects replicas whose sums overflow
  refusal const all[]{reaches.add_iters(a.replicas), reaches.add_iters(b.replicas),
                      reaches.add_offsets({})};
  for (refusal const& bad : all)
    if (bad) return about_result(bad);
  for (axis on : axes) {
    integer least = 0;
    if (a.replicas.count != 0 || b.replicas.count != 0) {
      sum_set set;
      set.add_on(on, a.replicas);
      set.add_on(on, b.replicas);
      set.saturate();
      least = set.least;
      if (refusal const bad = push_replicas(into.replicas, set.iters, on)) return bad;
    }
    integer o = a.offset(on);
    if (!multiply_add(o, sigma[on], b.offset(on)) || !add(o, least))
      return {rule::result_places_overflow, {}, {on}};
    if (refusal const bad = add_to_offset(into, o, on)) return bad;
  }
  return {};
}

/// Precondition: A has no swizzle.
AXE_LAZY_FN constexpr outcome<layout> plain_sum_of(valid_layout outer, axis_factors const& sigma,
                                                   valid_layout inner, domain const& dimensions,
                                                   step_limit& steps) {
  layout const& a = outer;
  layout const& b = inner;
  layout scaled;
  layout sum;
  if (refusal const bad = scale_strides(a, sigma, scaled)) return bad;
  if (refusal const bad =
          sum_digits(scaled.shards, canonical_shards(b.shards), dimensions, sum.shards, steps))
    return bad;
  if (refusal const bad = sum_replicas_and_offsets(scaled, sigma, b, sum)) return bad;
  if (!b.swizzle.none()) {
    if (refusal const bad = scale_offsets(sigma, scaled)) return bad;
    if (refusal const bad = check_sum_swizzle(scaled, b, steps)) return bad;
  }
  sum.swizzle = b.swizzle;
  return finished(sum);
}

/// Drops from f the source bits that are 0 in all addresses of `reach`.
AXE_LAZY_FN constexpr axe::swizzle shortened(axe::swizzle f, interval reach) {
  int bits = bits_of(reach) - f.M - (f.S > 0 ? f.S : 0);
  if (reach.least >= 0 && bits < f.B) f.B = bits;
  return f.B > 0 ? f : axe::swizzle{};
}

/// Two sums that need no search:
///     a + f(b), with f shortened
///     2^k * f(a) + b = g(2^k * a + b), where g is f with M + k for M, if adding b commutes with g
AXE_LAZY_FN constexpr outcome<layout> swizzled_sum_of(valid_layout outer, axis_factors const& sigma,
                                                      valid_layout inner, domain const& dimensions,
                                                      step_limit steps) {
  layout a = unswizzled(outer);
  if (a.swizzle.none()) {
    layout b = inner;
    b.swizzle = shortened(b.swizzle, reach_before_swizzle(inner, axis::m));
    return plain_sum_of(valid_layout::proved(a), sigma, valid_layout::proved(b), dimensions, steps);
  }
  axe::swizzle g = a.swizzle;
  integer power = 1;
  for (; power < sigma[axis::m] && g.valid(); power *= 2) ++g.M;
  if (!inner->swizzle.none() || power != sigma[axis::m] || !g.valid()) return steps.refusal();
  a.swizzle = {};
  outcome<layout> sum = plain_sum_of(valid_layout::proved(a), sigma, inner, dimensions, steps);
  if (!sum) return sum;
  layout scaled;
  if (refusal const bad = scale_strides(a, sigma, scaled)) return bad;
  if (refusal const bad = scale_offsets(sigma, scaled)) return bad;
  scaled.swizzle = g;
  if (check_sum_swizzle(inner, scaled, steps)) return steps.refusal();
  sum.value.swizzle = g;
  return canonical_result(*sum);
}

/// Precondition: drop_idle_swizzle changes neither operand.
AXE_LAZY_FN constexpr outcome<layout> sum_of(valid_layout outer, axis_factors const& sigma,
                                             valid_layout inner, domain const& dimensions,
                                             step_limit& steps) {
  refusal rejected;
  if (outer->swizzle.none()) {
    outcome<layout> const sum = plain_sum_of(outer, sigma, inner, dimensions, steps);
    if (sum || inner->swizzle.none() || !is_about_the_map(sum.why.which)) return sum;
    rejected = sum.why;
    if (rejected.is(rule::swizzled_inner_on_memory_only)) {
      // A has other axes, so the sum has no swizzle.
      outcome<layout> const plain = try_unswizzled(inner, steps);
      if (!plain) return found_or(plain, rejected);
      return plain_sum_of(outer, sigma, plain, dimensions, steps);
    }
  }
  outcome<layout> const canonical_a = canonical(outer);
  outcome<layout> const canonical_b = canonical(inner);
  if (!canonical_a) return canonical_a;
  if (!canonical_b) return canonical_b;
  integer const sigma_on_m = sigma[axis::m];
  summed_places source(*canonical_a, sigma_on_m, *canonical_b, dimensions);
  interval bound = address_bound(*canonical_a);
  interval const more = address_bound(*canonical_b);
  if (!multiply(bound.least, sigma_on_m) || !multiply(bound.largest, sigma_on_m) ||
      !add(bound.least, more.least) || !add(bound.largest, more.largest))
    return refusal{rule::result_places_overflow, {}, {axis::m}};
  source.on_m = bound;
  outcome<layout> const found = fit(source, canonical_b->swizzle, canonical_a->swizzle, steps);
  if (found.why.is(rule::undecided))
    if (auto const sum =
            swizzled_sum_of(outer, sigma, inner, dimensions, step_limit(steps.allowed)))
      return sum;
  return rejected.is(rule::swizzle_does_not_commute) ? found_or(found, rejected) : found;
}

AXE_LAZY_FN constexpr outcome<layout> sum_of_any(valid_layout outer, axis_factors const& sigma,
                                                 valid_layout inner, domain const& dimensions,
                                                 step_limit& steps) {
  if (outer->swizzle.none() && inner->swizzle.none())
    return plain_sum_of(outer, sigma, inner, dimensions, steps);
  return sum_of(valid_layout::proved(drop_idle_swizzle(outer)), sigma,
                valid_layout::proved(drop_idle_swizzle(inner)), dimensions, steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_direct_sum(layout const& a, shape const& s_a,
                                                     layout const& b, shape const& s_b,
                                                     step_limit steps = {}) {
  using namespace detail;
  summed_operands of;
  if (refusal const bad = of.admit(a, s_a, b, s_b)) return bad;
  return sum_of_any(of.a, {}, of.b, interleave(of.outer, of.inner), steps);
}

AXE_LAZY_FN constexpr layout direct_sum(layout const& a, shape const& s_a, layout const& b,
                                        shape const& s_b) {
  return detail::stop_on(try_direct_sum(a, s_a, b, s_b), "direct_sum", {&a, &b, &s_a, &s_b});
}
AXE_CARRIER_FORM(direct_sum);

}  // namespace AXE_NAMESPACE
}  // namespace axe
