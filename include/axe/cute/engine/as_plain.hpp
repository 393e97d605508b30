// SPDX-License-Identifier: MIT
// as_plain(L): the map of L without a swizzle if possible, else with one.
//
//     as_plain(Sw<2,3,3> o 0 o 2:2)        2:2
#pragma once

#include <axe/cute/engine/bit_image.hpp>
#include <axe/engine/fit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

AXE_FN constexpr layout without_idle_swizzle(layout l) {
  if (!l.swizzle().none()) l.map.swizzle = drop_idle_swizzle(valid_layout::proved(l.map)).swizzle;
  return l;
}

/// The result is canonical. Reads all places if bit_image is not exact.
AXE_FN constexpr axe::layout as_plain(layout const& l) {
  axe::layout map = without_idle_swizzle(l).map;
  map.shards = canonical_shards(map.shards);
  if (map.swizzle.none()) return map;
  bit_image const image(map);
  if (!image.exact) return unswizzled(valid_layout::proved(map));
  outcome<axe::layout> const plain = image.digits().behind({}, place_of(map, 0));
  return image.adds_up() && plain ? *plain : map;
}

AXE_FN constexpr outcome<interval> reach(axe::layout const& map) {
  if (!map.swizzle.none())
    if (bit_image const image(map); image.exact) return image.reach();
  return reach_of(map, axis::m);
}

AXE_FN constexpr outcome<interval> reach_from_zero(axe::layout const& map) {
  outcome<interval> const reached = reach(map);
  if (reached.why || reached.value.least >= 0) return reached;
  return refusal{rule::cute_negative_place, {reached.value.least}};
}

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
