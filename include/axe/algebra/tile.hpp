// SPDX-License-Identifier: MIT
// tile(A, S_A, B, S_B): B repeated for each element of A, at span(B) times A's place.
//
//     tile(S[(2,3):(3,1)], (2,3), S[(8,8):(8,1)], (8,8))     S[(2,8,3,8):(192,8,64,1)]
//
// Definition: docs/algebra.md, D11.
#pragma once

#include <axe/algebra/direct_sum.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> tile_of(valid_layout a, extent_list const& outer,
                                              valid_layout b, extent_list const& inner,
                                              step_limit steps) {
  axis_factors sigma;
  if (refusal const bad = spans_of(b, sigma)) return bad;
  return sum_of_any(a, sigma, b, interleave(outer, inner), steps);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_tile(layout const& a, shape const& s_a, layout const& b,
                                               shape const& s_b, step_limit steps = {}) {
  detail::summed_operands of;
  if (refusal const bad = of.admit(a, s_a, b, s_b)) return bad;
  return detail::tile_of(of.a, of.outer, of.b, of.inner, steps);
}

AXE_LAZY_FN constexpr layout tile(layout const& a, shape const& s_a, layout const& b,
                                  shape const& s_b) {
  return detail::stop_on(try_tile(a, s_a, b, s_b), "tile", {&a, &b, &s_a, &s_b});
}
AXE_CARRIER_FORM(tile);

}  // namespace AXE_NAMESPACE
}  // namespace axe
