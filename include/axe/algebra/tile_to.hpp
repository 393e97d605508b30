// SPDX-License-Identifier: MIT
// tile_to(B, S_B, S): fills a tensor of shape S with tiles B, consecutive on m in row-major order.
//
//     tile_to(S[(8,8):(8,1)], (8,8), (16,24))         S[(2,8,3,8):(192,8,64,1)]
//
// S_B divides S. Definition: docs/algebra.md, D11.
#pragma once

#include <axe/algebra/tile.hpp>
#include <axe/engine/reorder_dimensions.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr outcome<layout> try_tile_to(layout const& b, shape const& s_b, shape const& s,
                                                  step_limit steps = {}) {
  using namespace detail;
  extent_list whole, part, repeated;
  valid_layout operand;
  if (refusal const bad = operand.admit(b)) return bad;
  if (refusal const bad = admit_dimensions(b, s_b, part)) return bad;
  if (refusal const bad = dimensions_of(s, whole)) return of_operand(1, bad);
  if (refusal const bad = divide_extents(whole, part, repeated)) return bad;
  layout outer;
  extent_list const pitches = pitches_of(repeated);
  for (int d = 0; d < repeated.count; ++d) outer.shards.push({repeated[d], pitches[d], axis::m});
  outcome<layout> const tiled =
      tile_of(valid_layout::proved(outer), repeated, operand, part, steps);
  if (!tiled.why.is(rule::swizzle_does_not_commute)) return tiled;
  integer const(&n)[6] = tiled.why.numbers;
  return refusal{rule::repetition_does_not_commute, {n[0], n[1], n[2], n[3], n[4]}};
}

AXE_LAZY_FN constexpr layout tile_to(layout const& b, shape const& s_b, shape const& s) {
  return detail::stop_on(try_tile_to(b, s_b, s), "tile_to", {&b, nullptr, &s_b, &s});
}
AXE_CARRIER_FORM(tile_to);

}  // namespace AXE_NAMESPACE
}  // namespace axe
