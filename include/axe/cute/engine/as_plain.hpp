// SPDX-License-Identifier: MIT
// as_plain(L): the map of L in canonical form, without a swizzle if possible.
//
//     Sw<2,3,3> o 0 o 2:2                  2:2
#pragma once

#include <axe/cute/layout.hpp>
#include <axe/engine/fit.hpp>

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
AXE_FN constexpr axe::layout as_plain(layout const& l) {
  return unswizzled(valid_layout::proved(canonical_map(l)));
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
