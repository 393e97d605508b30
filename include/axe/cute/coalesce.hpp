// SPDX-License-Identifier: MIT
// coalesce(L): the layout R with R(i) = L(i), L's swizzle and the fewest leaves.
// coalesce(L, profile) coalesces each mode alone.
//
//     coalesce((2,(1,6)):(1,(6,2)), (1,1))        (2,6):(1,2)      only the nesting of (1,1) counts
#pragma once

#include <axe/cute/tiler.hpp>
#include <axe/engine/normal_form.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

/// Modes after the profile's last entry stay unchanged. Rejects more entries than L has modes.
AXE_FN constexpr outcome<layout> try_coalesce(layout const& l, int_tuple const& by = 1) {
  if (refusal const bad = check(l)) return bad;
  tiler const modes = by;
  if (modes.as_layout.broken_rule != rule::none || by.nodes.empty())
    return refusal{rule::cute_too_large};
  return detail::each_checked_mode(l, modes, true, [](layout const& mode, layout const&) {
    axe::layout map = mode.map;
    map.shards = detail::canonical_shards(map.shards);
    return detail::checked(detail::flat(map));
  });
}
AXE_FN constexpr layout coalesce(layout const& l, int_tuple const& by = 1) {
  return detail::stop_on(try_coalesce(l, by), "coalesce");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
