// tile(A, S_A, B, S_B): B repeated as A says, blocks of span(B) that cannot overlap: the direct sum
// of sigma*A and B.
//
//     tile(S[(2,2):(2@warp,1@warp)], (2,2), S[(8,8):(8,1)], (8,8))      S[(2,8,2,8):(2@warp,8,1@warp,1)]
//     tile(S[(2,3):(3,1)], (2,3), S[(8,8):(8,1)], (8,8))               S[(2,8,3,8):(192,8,64,1)]       a 16x24 matrix of 8x8 blocks
//
//     sigma_a = span_a(B) on every axis of B, replicas included;  R = sigma*R_A + R_B,  O = sigma*O_A + O_B
//
// At rank position d comes A's dimension, then B's: the result's shape is S_A[0], S_B[0], S_A[1],
// S_B[1], … or S_A * S_B. Injective operands give an injective tile. Under B's swizzle sigma is the
// reachable span. The result is canonical.
// Refused: what direct_sum refuses. Source: the Axe paper, section 3.3 and Appendix C; scaling R_A
// and O_A too is a correction (docs/algebra.md).
// Definition: docs/algebra.md, D11.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The spans of a checked layout.
AXE_PLANNER constexpr outcome<axis_factors> spans_of(layout const& l) {
  axis_factors spans;
  for (axis a : axes_of(l)) {
    outcome<interval> const reach = reach_of(l, a);
    if (!reach) return reach.why;
    spans.by.push({reach->largest - reach->least + 1, a});
  }
  return spans;
}

}  // namespace detail

AXE_PLANNER constexpr outcome<layout> try_tile(layout const& a, shape const& s_a, layout const& b,
                                               shape const& s_b, step_budget steps = {}) {
  detail::extent_list outer;
  detail::extent_list inner;
  if (refusal const bad = detail::match_operands(a, s_a, b, s_b, outer, inner)) return bad;
  outcome<detail::axis_factors> const sigma = detail::spans_of(b);
  if (!sigma) return sigma.why;
  return detail::sum_of(detail::drop_idle_swizzle(a), *sigma, detail::drop_idle_swizzle(b),
                        detail::interleave(outer, inner), steps);
}

AXE_PLANNER constexpr layout tile(layout const& a, shape const& s_a, layout const& b,
                                  shape const& s_b, step_budget steps = {}) {
  outcome<layout> const result = try_tile(a, s_a, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "tile", {&a, &b, &s_a, &s_b});
  return result.value;
}
AXE_LIFT(tile);

}  // namespace AXE_NAMESPACE
}  // namespace axe
