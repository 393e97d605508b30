// The unknown B of tile_inner and sum_inner: T is B repeated as A says.
//
//     S[(2,8,3,8):(192,8,64,1)] of shape (16,24) repeats something as S[(2,3):(3,1)] says: S[64:1], 8x8 blocks of 64
//
// For a tile sigma depends on the unknown, but spans multiply: sigma_a = span_a(T) / span_a(A),
// refused if that is not whole. B's digits are T's on the elements where A's coordinate is 0, O_B =
// O_T - sigma*O_A, R_B by the set search; composed again and compared, like
// algebra/outer_factor.hpp.
// Source: the Axe paper, Appendix D, with the roles exchanged.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/factor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// span_a(T) / span_a(A) on every axis of either, both checked; whole, or a refusal.
AXE_PLANNER constexpr outcome<axis_factors> span_quotients(layout const& t, layout const& a) {
  axis_list axes;
  if (!note_axes(axes, t) || !note_axes(axes, a)) return refusal{rule::result_too_many_axes};
  axis_factors sigma;
  for (axis on : axes) {
    outcome<interval> const whole = reach_of(t, on);
    outcome<interval> const part = reach_of(a, on);
    if (!whole) return whole.why;
    if (!part) return part.why;
    integer const span_t = whole->largest - whole->least + 1;
    integer const span_a = part->largest - part->least + 1;
    if (span_t % span_a != 0) return refusal{rule::span_is_no_multiple, {span_t, span_a}, {on}};
    sigma.by.push({span_t / span_a, on});
  }
  return sigma;
}

/// B's digits and copies from T's, under T's swizzle.
AXE_PLANNER constexpr outcome<layout> inner_digits(layout const& t, layout const& a,
                                                   split_shape const& s, axis_factors const& sigma,
                                                   step_budget& steps) {
  if (!a.swizzle.none()) return refusal{rule::known_outer_is_swizzled};
  layout known;
  if (refusal const bad = scale(a, sigma, known)) return bad;
  layout b;
  b.swizzle = t.swizzle;
  if (refusal const bad = digits_along(canonical_shards(t.shards), s, false, b.shards, steps))
    return bad;
  if (refusal const bad = missing_copies(t, known, sigma, {}, b, steps)) return bad;
  return canonical_result(b);
}

AXE_PLANNER constexpr outcome<layout> inner_factor(layout const& t, shape const& s_t,
                                                   layout const& a, shape const& s_a, bool tiled,
                                                   step_budget steps) {
  split_shape s;
  if (refusal const bad = check_factor(t, s_t, a, s_a, false, s)) return bad;
  outcome<layout> const known = try_canonicalize(a);
  if (!known) return known.why;
  axis_factors sigma;
  if (tiled) {
    outcome<axis_factors> const quotients = span_quotients(t, *known);
    if (!quotients) return quotients.why;
    sigma = *quotients;
  }
  outcome<layout> cut;
  if (cut_factor(t, *known, s, false, sigma, {}, cut.value)) return cut;
  shape const s_outer = shape_of(s.outer);
  shape const s_b = shape_of(s.inner);
  auto const check_answer = [&](outcome<layout> const& b) {
    if (!b) return outcome<layout>(about_candidate(b.why));
    return verified(
        b,
        tiled ? try_tile(a, s_outer, *b, s_b, steps) : try_direct_sum(a, s_outer, *b, s_b, steps),
        t, steps);
  };
  outcome<layout> const found = check_answer(inner_digits(t, *known, s, sigma, steps));
  if (found || (t.swizzle.none() && known->swizzle.none()) || !is_about_the_map(found.why.which))
    return found;
  layout const plain_t = unswizzled(t);
  layout const plain_a = unswizzled(a);
  if (!(plain_t.swizzle == t.swizzle && plain_a.swizzle == a.swizzle) && plain_t.swizzle.none() &&
      plain_a.swizzle.none()) {
    outcome<layout> const plain = inner_factor(plain_t, s_t, plain_a, s_a, tiled, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return check_answer(factor_through(t, s, false, *known, sigma, {}, found.why, steps));
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
