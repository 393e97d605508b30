// sum_outer(T, S_T, B, S_B): the A with direct_sum(A, S_T/S_B, B, S_B) equal to T.
//
//     sum_outer(S[16:1], (4,4), S[(2,2):(4,1)], (2,2))                      S[(2,2):(8,2)]
//     sum_outer(S[] + R[4:1], (1), S[] + R[2:1], (1))                       S[] + R[3:1]
//
// S_T is the shape of T with the two operands' extents multiplied, S_B divides it. The result is
// canonical; refused is what is no such sum, with what stands in the way. Source: the Axe paper,
// Appendix D. Cost: that of a slice and a sum; how it is found: algebra/outer_factor.hpp.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/outer_factor.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_PLANNER constexpr outcome<layout> try_sum_outer(layout const& t, shape const& s_t,
                                                    layout const& b, shape const& s_b,
                                                    step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, false, steps);
}
AXE_PLANNER constexpr layout sum_outer(layout const& t, shape const& s_t, layout const& b,
                                       shape const& s_b, step_budget steps = {}) {
  outcome<layout> const result = try_sum_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "sum_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(sum_outer);

}  // namespace AXE_NAMESPACE
}  // namespace axe
