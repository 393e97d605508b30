// The unknown A of tile_outer and sum_outer: T is B repeated as A says.
//
//     S[(2,8,3,8):(192,8,64,1)] of shape (16,24) is S[(8,8):(8,1)] repeated: 2 x 3 times, every 64, as S[6:1] says
//
// A's digits are T's on the elements where B's coordinate is 0 (a slice: exact, and D is unique),
// divided by sigma for a tile; O_A follows from O; R_A is found axis by axis
// (engine/fit_replicas.hpp). The answer is composed again and compared: what is returned is right,
// and where there is an A it is found, up to the step bound. The result is canonical.
// Source: the Axe paper, Appendix D; matching B's digits as a subsequence, as printed there,
// accepts (2:1)(2:2) with B = (2:1) wrongly.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/factor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// A's digits and copies from T's, where a swizzle of T is B's.
AXE_PLANNER constexpr outcome<layout> outer_digits(layout const& t, layout const& b,
                                                   split_shape const& s, axis_factors const& sigma,
                                                   step_budget& steps) {
  layout a;
  if (refusal const bad = digits_along(canonical_shards(t.shards), s, true, a.shards, steps))
    return bad;
  if (refusal const bad = divide(a.shards, sigma)) return bad;
  if (refusal const bad = missing_copies(t, b, {}, sigma, a, steps)) return bad;
  return canonical_result(a);
}

AXE_PLANNER constexpr outcome<layout> outer_factor(layout const& whole, shape const& s_t,
                                                   layout const& inner, shape const& s_b,
                                                   bool tiled, step_budget steps) {
  split_shape s;
  if (refusal const bad = check_factor(whole, s_t, inner, s_b, true, s)) return bad;
  layout const t = drop_idle_swizzle(whole);
  layout const b = drop_idle_swizzle(inner);
  axis_factors sigma;
  if (tiled) {
    outcome<axis_factors> const spans = spans_of(b);
    if (!spans) return spans.why;
    sigma = *spans;
  }
  outcome<layout> cut;
  if (cut_factor(t, b, s, true, {}, sigma, cut.value)) return cut;
  shape const s_a = shape_of(s.outer);
  shape const s_inner = shape_of(s.inner);
  auto const check_answer = [&](outcome<layout> const& a) {
    if (!a) return outcome<layout>(about_candidate(a.why));
    return verified(
        a,
        tiled ? try_tile(*a, s_a, b, s_inner, steps) : try_direct_sum(*a, s_a, b, s_inner, steps),
        t, steps);
  };
  outcome<layout> const found = check_answer(outer_digits(t, b, s, sigma, steps));
  if (found || (t.swizzle.none() && b.swizzle.none()) || !is_about_the_map(found.why.which))
    return found;
  layout const plain_t = unswizzled(t);
  layout const plain_b = unswizzled(b);
  if (plain_t.swizzle.none() && plain_b.swizzle.none()) {
    // What the plain spelling is refused for is about its digits, not about those that were
    // written.
    outcome<layout> const plain = outer_factor(plain_t, s_t, plain_b, s_b, tiled, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return check_answer(factor_through(t, s, true, b, {}, sigma, found.why, steps));
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
