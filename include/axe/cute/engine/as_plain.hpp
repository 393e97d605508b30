// SPDX-License-Identifier: MIT
// as_plain(L): the map of L in canonical form, without a swizzle if possible.
//
//     Sw<2,3,3> o 0 o 2:2                  2:2
#pragma once

#include <axe/cute/layout.hpp>
#include <axe/engine/fit.hpp>
#include <axe/linear/to_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

AXE_FN constexpr layout without_idle_swizzle(layout l) {
  if (!l.swizzle().none()) l.map.swizzle = drop_idle_swizzle(valid_layout::proved(l.map)).swizzle;
  return l;
}

AXE_FN constexpr axe::layout canonical_map(layout const& l) {
  axe::layout map = without_idle_swizzle(l).map;
  map.shards = canonical_shards(map.shards);
  return map;
}
/// A linear map needs a swizzle if two bits of the element change one bit of the place.
AXE_FN constexpr axe::layout as_plain(layout const& l) {
  axe::layout const map = canonical_map(l);
  if (map.swizzle.none()) return map;
  outcome<linear_map> const bits = try_linear(map, size_of(map));
  if (!bits) return unswizzled(valid_layout::proved(map));
  step_form steps;
  if (!steps_of(*bits, {}, steps)) return map;
  outcome<axe::layout> const plain = try_to_layout(*bits);
  return plain ? *plain : map;
}

AXE_FN constexpr outcome<interval> reach_from_zero(axe::layout const& map) {
  outcome<interval> const reached = reach_of(map, axis::m);
  if (reached.why || reached.value.least >= 0) return reached;
  return refusal{rule::cute_negative_place, {reached.value.least}};
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
