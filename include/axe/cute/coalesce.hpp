// SPDX-License-Identifier: MIT
// coalesce(L): the layout R with R(i) = L(i), L's swizzle and the fewest leaves.
// coalesce(L, profile) coalesces each mode alone.
//
//     coalesce((2,(1,6)):(1,(6,2)), (1,1))        (2,6):(1,2)      only the nesting of (1,1) counts
#pragma once

#include <axe/cute/carrier.hpp>
#include <axe/engine/normal_form.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr refusal coalesce_by(layout& to, layout const& from, cursor at, tree const& by,
                                     int p) {
  if (by.nodes.is_integer(p)) {
    layout part;
    add_part(part, from, at);
    add_mode(to, canonical_shards(part.map.shards));
    return {};
  }
  int const node = from.profile[at.node];
  int const modes = node == leaf_node ? 1 : entries_of(node);
  int const wanted = by.nodes.entries(p);
  if (wanted > modes) return {rule::cute_too_many_modes, {wanted, modes}};
  add_group(to, modes);
  int next = p + 1;
  for (int k = 0; k < modes; ++k) {
    cursor const here = entry(from, at, k);
    if (k >= wanted) {
      add_part(to, from, here);
      continue;
    }
    if (refusal const bad = coalesce_by(to, from, here, by, next)) return bad;
    next = by.skip(next);
  }
  return {};
}

}  // namespace detail

/// Modes after the profile's last entry stay unchanged. Rejects more entries than L has modes.
AXE_FN constexpr outcome<layout> try_coalesce(layout const& l, int_tuple const& by = 1) {
  if (refusal const bad = check(l)) return bad;
  if (by.full || by.nodes.empty()) return refusal{rule::cute_too_large};
  layout done;
  if (refusal const bad = detail::coalesce_by(done, l, {}, by, 0)) return bad;
  return detail::checked(detail::swizzled_like(done, l));
}
AXE_FN constexpr layout coalesce(layout const& l, int_tuple const& by = 1) {
  auto const result = try_coalesce(l, by);
  detail::stop_on(result.why, "coalesce");
  return result.value;
}
AXE_CUTE_CARRIER_FORM(coalesce);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
