// SPDX-License-Identifier: MIT
// owner_map(L, S): the linear map from places of L to coordinates of S.
//
//     owner_map(S[2:1@lane] + R[2:2@lane], (2))        {lane: 1 -> (1), 2 -> (0)} to (dim0: 2)
//
// Replicas become the map's kernel. Rejects an L if a place has no element or several.
#pragma once

#include <axe/linear/from_layout.hpp>
#include <axe/linear/invert.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr outcome<linear_map> try_owner_map(layout const& l, shape const& s) {
  outcome<linear_map> const forward = try_linear(l, s);
  if (!forward) return forward;
  outcome<linear_map> const backward = try_invert(*forward);
  if (!backward) return backward;
  linear_axes dimensions = backward->out;
  if (dimensions.names(axes::replica)) dimensions.axes.pop();  // the last axis
  return detail::on_axes(*backward, backward->in, dimensions);
}
AXE_FN constexpr linear_map owner_map(layout const& l, shape const& s) {
  auto const result = try_owner_map(l, s);
  detail::stop_on(result.why, "linear.owner_map", {&l, nullptr, &s});
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(owner_map, "linear.owner_map", carries_layout);

}  // namespace AXE_NAMESPACE
}  // namespace axe
