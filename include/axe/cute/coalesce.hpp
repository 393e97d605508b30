// coalesce(L): the fewest leaves of the same map, R(i) = L(i) for every i. coalesce(L, profile):
// mode by mode.
//
//     coalesce((2,(1,6)):(1,(6,2)))                    12:1
//     coalesce((2,(1,6)):(1,(6,2)), (1,1))             (2,6):(1,2)        the numbers of the profile do not matter
//     coalesce((4,2):(1,4) of extent 1, …)             1:0 where nothing is left
//
// Leaves of extent 1 go, and neighbours (e1:d)(e2:e1*d) become e1*e2:d, of any sign and for d = 0
// too. The result is the only flat layout of its map without such leaves. A profile shorter than
// the layout leaves the modes behind it alone. Swizzle and offset stay. O(leaves).
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Adds a leaf behind the others, merged where it continues the last one. False where they are too
/// many.
AXE_FN constexpr bool add_coalesced(leaf_list& done, leaf const& d) {
  if (d.extent == 1) return true;
  if (!done.empty()) {
    leaf& last = done.back();
    // The quotient, not the product: extent * stride may leave 64 bits where it is another stride.
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

AXE_FN constexpr leaf_list coalesced(leaf_list const& leaves) {
  leaf_list done;
  for (leaf const& d : leaves) add_coalesced(done, d);
  return done;
}

/// The subtree at `at`, coalesced where the profile's subtree at node p is an integer.
AXE_FN constexpr refusal coalesce_by(layout& to, layout const& from, cursor at, tree const& by,
                                     int p) {
  if (by.nodes.is_integer(p)) {
    layout part;
    add_part(part, from, at);
    add_mode(to, coalesced(part.leaves));
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

AXE_FN constexpr outcome<layout> try_coalesce(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::wrapped_as(detail::of_leaves(detail::coalesced(l.leaves)), l);
}

AXE_FN constexpr layout coalesce(layout const& l) {
  outcome<layout> const result = try_coalesce(l);
  if (!result) detail::stop_on(result.why, "coalesce", {});
  return *result;
}

/// Refused: a profile with more entries than the layout has modes.
AXE_FN constexpr outcome<layout> try_coalesce(layout const& l, int_tuple const& by) {
  if (refusal const bad = check(l)) return bad;
  if (by.full || by.nodes.empty()) return refusal{rule::cute_too_large};
  layout done;
  if (refusal const bad = detail::coalesce_by(done, l, {}, by, 0)) return bad;
  if (refusal const bad = check(done)) return bad;
  return detail::wrapped_as(done, l);
}

AXE_FN constexpr layout coalesce(layout const& l, int_tuple const& by) {
  outcome<layout> const result = try_coalesce(l, by);
  if (!result) detail::stop_on(result.why, "coalesce", {});
  return *result;
}
AXE_CUTE_LIFT(coalesce);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
