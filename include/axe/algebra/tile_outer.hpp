// tile_outer(T, S_T, B, S_B): the A with tile(A, S_T/S_B, B, S_B) equal to T.
//
//     tile_outer(S[(16,24):(24,1)], (16,24), S[(8,8):(8,1)], (8,8))         refused: rows of T are 24 apart, not 8
//     tile_outer(S[(2,8,3,8):(192,8,64,1)], (16,24), S[(8,8):(8,1)], (8,8))  S[6:1]
//
// S_T is the shape of T with the two operands' extents multiplied, S_B divides it. The result is
// canonical; refused is what is no such tile, with what stands in the way. Source: the Axe paper,
// Appendix D. Cost: that of a slice and a tile; how it is found: algebra/outer_factor.hpp.
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/algebra/outer_factor.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_PLANNER constexpr outcome<layout> try_tile_outer(layout const& t, shape const& s_t,
                                                     layout const& b, shape const& s_b,
                                                     step_budget steps = {}) {
  return detail::outer_factor(t, s_t, b, s_b, true, steps);
}
AXE_PLANNER constexpr layout tile_outer(layout const& t, shape const& s_t, layout const& b,
                                        shape const& s_b, step_budget steps = {}) {
  outcome<layout> const result = try_tile_outer(t, s_t, b, s_b, steps);
  if (!result) detail::stop_on(result.why, "tile_outer", {&t, &b, &s_t, &s_b});
  return result.value;
}
AXE_LIFT(tile_outer);

}  // namespace AXE_NAMESPACE
}  // namespace axe
