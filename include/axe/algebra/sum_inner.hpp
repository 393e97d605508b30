// sum_inner(T, S_T, A, S_A): the B with direct_sum(A, S_A, B, S_T/S_A) equal to T.
//
//     sum_inner(S[16:1], (4,4), S[(2,2):(8,2)], (2,2))                          S[(2,2):(4,1)]
//
// S_T is the shape of T with the two operands' extents multiplied, S_A divides it. The result is
// canonical; refused is what is no such sum, with what stands in the way. Cost: that of a slice and
// a sum; how it is found: algebra/inner_factor.hpp.
// Source: the Axe paper, Appendix D, with the roles exchanged.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/inner_factor.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_PLANNER constexpr outcome<layout> try_sum_inner(layout const& t, shape const& s_t,
                                                    layout const& a, shape const& s_a,
                                                    step_budget steps = {}) {
  return detail::inner_factor(t, s_t, a, s_a, false, steps);
}
AXE_PLANNER constexpr layout sum_inner(layout const& t, shape const& s_t, layout const& a,
                                       shape const& s_a, step_budget steps = {}) {
  outcome<layout> const result = try_sum_inner(t, s_t, a, s_a, steps);
  if (!result) detail::stop_on(result.why, "sum_inner", {&t, &a, &s_t, &s_a});
  return result.value;
}
AXE_LIFT(sum_inner);

}  // namespace AXE_NAMESPACE
}  // namespace axe
