// coalesce(L): the fewest leaves of the same map, R(i) = L(i). coalesce(L, profile): mode by mode.
//
//     coalesce((2,(1,6)):(1,(6,2)))                    12:1
//     coalesce((2,(1,6)):(1,(6,2)), (1,1))             (2,6):(1,2)      only the nesting of (1,1) counts
//
// axe's canonical form with the digits in reversed order: leaves of extent 1 go, and neighbours
// (e:d)(f:e*d) merge. Definition: docs/algebra.md, D5, D22.
#pragma once

#include <axe/cute/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Adds a slower leaf, merged with the last one where it continues it. False if the list is full.
AXE_FN constexpr bool add_coalesced(leaf_list& done, leaf const& d) {
  if (d.extent == 1) return true;
  if (!done.empty()) {
    leaf& last = done.back();
    // The quotient, not the product: extent * stride may leave 64 bits.
    bool const continues =
        last.stride == 0 ? d.stride == 0
                         : d.stride % last.stride == 0 && d.stride / last.stride == last.extent;
    if (continues) {
      last.extent *= d.extent;
      return true;
    }
  }
  return done.push(d);
}

/// A flat layout in the making, fastest leaf first. It may need more leaves than a layout holds.
struct digit_list {
  leaf_list leaves{};
  integer size = 1;
  bool too_many = false;

  AXE_FN constexpr void add(integer extent, integer stride) {
    if (!add_coalesced(leaves, {extent, stride})) too_many = true;
    size *= extent;
  }
  AXE_FN constexpr layout behind(axe::swizzle const& g, integer start) const {
    layout l = of_leaves(leaves, start, g);
    if (too_many) l.flaw = flaw::too_large;
    return l;
  }
};

AXE_FN constexpr leaf_list coalesced(layout const& l) {
  leaf_list done;
  for (int k = 0; k < l.leaf_count(); ++k) add_coalesced(done, l[k]);
  return done;
}

/// The subtree at `at`, coalesced where the profile's subtree at node p is an integer.
AXE_FN constexpr refusal coalesce_by(layout& to, layout const& from, cursor at, tree const& by,
                                     int p) {
  if (by.nodes.is_integer(p)) {
    layout part;
    add_part(part, from, at);
    add_mode(to, coalesced(part));
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

/// Modes behind the last entry of the profile stay. Refused: more entries than L has modes.
AXE_FN constexpr outcome<layout> try_coalesce(layout const& l, int_tuple const& by = 1) {
  if (refusal const bad = check(l)) return bad;
  if (by.full || by.nodes.empty()) return refusal{rule::cute_too_large};
  layout done;
  if (refusal const bad = detail::coalesce_by(done, l, {}, by, 0)) return bad;
  if (refusal const bad = check(done)) return bad;
  return detail::wrapped_as(done, l);
}
AXE_FN constexpr layout coalesce(layout const& l, int_tuple const& by = 1) {
  return detail::value_of(try_coalesce(l, by), "coalesce");
}
AXE_CUTE_CARRIER_FORM(coalesce);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
