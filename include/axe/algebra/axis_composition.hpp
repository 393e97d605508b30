// SPDX-License-Identifier: MIT
// axis_composition: an axis as a weighted sum of other axes, its parts.
//
//     axis_composition{axis::tid, place{{32, axis::warp}, {1, axis::lane}}}   tid = 32*warp + lane
//
// Definition: docs/algebra.md, D14.
#pragma once

#include <axe/engine/fit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// whole = f_0*part_0 + … + 1*part_k. Factors descend, each a multiple of the next. For i > 0,
/// part_i is in [0, f_{i-1}/f_i).
struct axis_composition {
  axis whole = axis::null;
  list<term, 6> parts;  // largest factor first

  constexpr axis_composition() = default;
  AXE_LAZY_FN constexpr axis_composition(axis name, place const& sum) : whole(name) {
    for (term const& t : sum.terms) {
      int at = 0;
      while (at < parts.count && parts[at].n > t.n) ++at;
      if (!parts.insert(at, t)) ++left_out;
    }
  }
  int left_out = 0;  // terms beyond 6

  AXE_LAZY_FN constexpr bool has_part(axis a) const { return detail::any_on(parts, a); }

  constexpr bool operator==(axis_composition const&) const = default;
};

namespace compositions {

AXE_LAZY_FN constexpr axis_composition tid_of_warp_lane() {
  return {axis::tid, {{32, axis::warp}, {1, axis::lane}}};
}
AXE_LAZY_FN constexpr axis_composition tid_of_wg() {
  return {axis::tid, {{128, axis::wg}, {1, axis::tid_in_wg}}};
}
AXE_LAZY_FN constexpr axis_composition tid_in_wg_of_lane() {
  return {axis::tid_in_wg, {{32, axis::wid_in_wg}, {1, axis::lane}}};
}
AXE_LAZY_FN constexpr axis_composition warp_of_wg() {
  return {axis::warp, {{4, axis::wg}, {1, axis::wid_in_wg}}};
}

}  // namespace compositions

namespace detail {

/// Precondition: a is not the null axis.
AXE_LAZY_FN constexpr bool names(layout const& l, axis a) {
  return any_on(l.shards, a) || any_on(l.replicas, a) || any_on(l.offsets, a);
}

AXE_LAZY_FN constexpr axis part_named(layout const& l, axis_composition const& c) {
  for (int p = c.parts.count - 1; p >= 0; --p)
    if (names(l, c.parts.at[p].on)) return c.parts.at[p].on;
  return axis::null;
}

/// Rejects L if its places need a swizzle.
AXE_LAZY_FN constexpr outcome<layout> rewritable(valid_layout operand, axis on) {
  step_limit steps;
  return found_or(try_unswizzled(operand, steps), {rule::swizzled_is_not_rewritten, {}, {on}});
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
