// tile_inner(T, S_T, A, S_A): the B with tile(A, S_A, B, S_T/S_A) equal to T.
//
//     tile_inner(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(2,3):(3,1)], (2,3))      S[64:1]          8x8 blocks of 64
//
// S_T is the shape of T with the two operands' extents multiplied, S_A divides it. The result is
// canonical; refused is what is no such tile, with what stands in the way. Cost: that of a slice
// and a tile; how it is found: algebra/inner_factor.hpp.
// Source: the Axe paper, Appendix D, with the roles exchanged.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/inner_factor.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_PLANNER constexpr outcome<layout> try_tile_inner(layout const& t, shape const& s_t,
                                                     layout const& a, shape const& s_a,
                                                     step_budget steps = {}) {
  return detail::inner_factor(t, s_t, a, s_a, true, steps);
}
AXE_PLANNER constexpr layout tile_inner(layout const& t, shape const& s_t, layout const& a,
                                        shape const& s_a, step_budget steps = {}) {
  outcome<layout> const result = try_tile_inner(t, s_t, a, s_a, steps);
  if (!result) detail::stop_on(result.why, "tile_inner", {&t, &a, &s_t, &s_a});
  return result.value;
}
AXE_LIFT(tile_inner);

}  // namespace AXE_NAMESPACE
}  // namespace axe
