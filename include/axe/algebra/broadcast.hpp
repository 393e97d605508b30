// SPDX-License-Identifier: MIT
// broadcast(L, S, position, e): a new dimension of extent e that changes no place.
//
//     broadcast(S[(4,5):(5,1)], (4,5), 1, 3)          S[(4,3,5):(5,0,1)] on shape (4,3,5)
//
// Definition: docs/algebra.md, D13.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/reorder_dimensions.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr outcome<layout> try_broadcast(layout const& l, shape const& s,
                                                    integer position, integer extent,
                                                    step_limit steps = {}) {
  using namespace detail;
  valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  extent_list dimensions;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  if (position < 0 || position > dimensions.count)
    return refusal{rule::position_outside, {position, dimensions.count}};
  if (extent < 1) return refusal{rule::extent_argument_below_one, {extent}};
  integer const elements = product_of_extents(l.shards);
  if (integer size = elements; !multiply(size, extent))
    return refusal{rule::result_size_overflows, {elements, extent}};
  extent_list const pitches = pitches_of(dimensions);
  box_walk walk{digit_function(canonical_shards(l.shards))};
  for (int d = 0; d <= dimensions.count; ++d) {
    if (d == position) push_digit(walk.box, {extent, 0, axis::null});
    if (d < dimensions.count) push_digit(walk.box, {dimensions[d], pitches[d], axis::m});
  }
  return reordered(operand, walk, steps);
}

AXE_LAZY_FN constexpr layout broadcast(layout const& l, shape const& s, integer position,
                                       integer extent) {
  return detail::stop_on(try_broadcast(l, s, position, extent), "broadcast", {&l, nullptr, &s});
}
AXE_CARRIER_FORM(broadcast);

}  // namespace AXE_NAMESPACE
}  // namespace axe
