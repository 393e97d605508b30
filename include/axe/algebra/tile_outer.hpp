// tile_outer(T, S_T, B, S_B) and sum_outer(T, S_T, B, S_B): the A with tile(A, S_T/S_B, B, S_B), or direct_sum(…), equal to T.
//
//     tile_outer(S[(16,24):(24,1)], (16,24), S[(8,8):(8,1)], (8,8))         refused: rows of T are 24 apart, not 8
//     tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))  S[6:1]
//     sum_outer(S[16:1], (4,4), S[(2,2):(4,1)], (2,2))                      S[(2,2):(8,2)]
//     sum_outer(S[] + R[4:1], (1), S[] + R[2:1], (1))                       S[] + R[3:1]
//
// S_T is the shape of T with the two operands' extents multiplied, S_B divides it. A's digits are T's on the elements where B's coordinate is 0 (a slice:
// exact, and D is unique), divided by sigma for a tile; O_A follows from O; R_A is found axis by axis (algebra/set_search.hpp). The answer is composed
// again and compared: what is returned is right, and where there is an A it is found, up to the step bound. The result is canonical.
// Source: the Axe paper, Appendix D; matching B's digits as a subsequence, as printed there, accepts (2:1)(2:2) with B = (2:1) wrongly.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/factor.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// A's digits and copies from T's, where a swizzle of T is B's.
AXE_PLANNER constexpr outcome<layout> outer_digits(layout const& t, layout const& b, split_shape const& s,
                                                   axis_factors const& sigma, step_budget& steps) {
  layout a;
  if (refusal const bad = digits_along(canonical_shards(t.shards), s, true, a.shards, steps)) return bad;
  if (refusal const bad = divide(a.shards, sigma)) return bad;
  if (refusal const bad = missing_copies(t, b, sigma, a, steps)) return bad;
  return try_canonicalize(a);
}

AXE_PLANNER constexpr outcome<layout> outer_factor(layout const& whole, shape const& s_t, layout const& inner,
                                                   shape const& s_b, bool tiled, step_budget steps) {
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
    return verified(a,
                    tiled ? try_tile(*a, s_a, b, s_inner, steps) : try_direct_sum(*a, s_a, b, s_inner, steps),
                    t, steps);
  };
  outcome<layout> const found = check_answer(outer_digits(t, b, s, sigma, steps));
  if (found || (t.swizzle.none() && b.swizzle.none()) || !is_about_the_map(found.why.which)) return found;
  layout const plain_t = unswizzled(t);
  layout const plain_b = unswizzled(b);
  if (plain_t.swizzle.none() && plain_b.swizzle.none()) {
    // What the plain spelling is refused for is about its digits, not about those that were written.
    outcome<layout> const plain = outer_factor(plain_t, s_t, plain_b, s_b, tiled, steps);
    return plain || !is_about_the_map(plain.why.which) ? plain : found;
  }
  return check_answer(factor_through(t, s, true, b, {}, sigma, found.why, steps));
}

}  // namespace detail

AXE_PLANNER constexpr outcome<layout> try_tile_outer(layout const& t, shape const& s_t, layout const& b,
                                                     shape const& s_b, step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, true, steps);
}
AXE_PLANNER constexpr layout tile_outer(layout const& t, shape const& s_t, layout const& b, shape const& s_b,
                                        step_budget steps = {}) {
  outcome<layout> const result = try_tile_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "tile_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(tile_outer);

AXE_PLANNER constexpr outcome<layout> try_sum_outer(layout const& t, shape const& s_t, layout const& b,
                                                    shape const& s_b, step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, false, steps);
}
AXE_PLANNER constexpr layout sum_outer(layout const& t, shape const& s_t, layout const& b, shape const& s_b,
                                       step_budget steps = {}) {
  outcome<layout> const result = try_sum_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "sum_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(sum_outer);

}  // namespace axe::inline AXE_NAMESPACE
