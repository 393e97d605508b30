// SPDX-License-Identifier: MIT
// at(L, c): the place of coordinate c. index_of(L, c): its element number. coordinate_of(L, i): the
// coordinate of element i.
//
//     at(((2,4),8):((1,16),2), {{1, 3}, 5})        1 + 48 + 10 = 59
//
// Unlike CuTe's, coordinates are bounds-checked.
#pragma once

#include <axe/cute/as_plain.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// `index` and `size` are those inside the subtree at `at`.
AXE_FN constexpr refusal index_within(layout const& l, cursor at, tree const& c, int p,
                                      integer& index, integer& size) {
  layout part;
  add_part(part, l, at);
  size = size_of(part);
  if (c.nodes.is_integer(p)) {
    index = c.nodes.value(p);
    return index < 0 || index >= size ? refusal{rule::cute_index_outside, {index, size}}
                                      : refusal{};
  }
  int const node = l.profile[at.node];
  if (node == leaf_node) return {rule::cute_coordinate_is_nested_deeper, {c.nodes.entries(p)}};
  if (node != c.nodes.entries(p))
    return {rule::cute_coordinate_does_not_fit, {c.nodes.entries(p), node}};
  index = 0;
  integer weight = 1;
  int next = p + 1;
  for (int k = 0; k < node; ++k) {
    integer inside = 0;
    integer extent = 1;
    if (refusal const bad = index_within(l, entry(l, at, k), c, next, inside, extent)) return bad;
    index += inside * weight;
    weight *= extent;
    next = c.skip(next);
  }
  return {};
}

}  // namespace detail

/// Rejects a coordinate out of bounds or of another nesting.
AXE_FN constexpr outcome<integer> try_index_of(layout const& l, int_tuple const& c) {
  if (refusal const bad = check(l)) return bad;
  if (c.full || c.nodes.empty()) return refusal{rule::cute_too_large};
  integer index = 0;
  integer size = 0;
  if (refusal const bad = detail::index_within(l, {}, c, 0, index, size)) return bad;
  return index;
}
AXE_FN constexpr integer index_of(layout const& l, int_tuple const& c) {
  auto const result = try_index_of(l, c);
  detail::stop_on(result.why, "index_of");
  return result.value;
}

AXE_FN constexpr outcome<integer> try_at(layout const& l, int_tuple const& c) {
  outcome<integer> const index = try_index_of(l, c);
  if (!index) return index;
  return detail::place_of(l.map, *index);
}
AXE_FN constexpr integer at(layout const& l, int_tuple const& c) {
  auto const result = try_at(l, c);
  detail::stop_on(result.why, "at");
  return result.value;
}

AXE_FN constexpr outcome<int_tuple> try_coordinate_of(layout const& l, integer i) {
  outcome<integer> const place = try_at(l, i);  // rejects an i out of bounds
  if (place.why) return place.why;
  int_tuple c = shape_of(l);
  for (int k = 0; k < c.nodes.count; ++k) {
    if (c.nodes.is_group(k)) continue;
    integer const extent = c.nodes.value(k);
    c.nodes.numbers[k] = i % extent;
    i /= extent;
  }
  return c;
}
AXE_FN constexpr int_tuple coordinate_of(layout const& l, integer i) {
  auto const result = try_coordinate_of(l, i);
  detail::stop_on(result.why, "coordinate_of");
  return result.value;
}

/// 1 + the largest place after the swizzle.
AXE_FN constexpr outcome<integer> try_cosize(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  outcome<detail::interval> const reached = detail::reach_from_zero(l.map);
  if (reached.why) return reached.why;
  return reached->largest + 1;
}
AXE_FN constexpr integer cosize(layout const& l) {
  auto const result = try_cosize(l);
  detail::stop_on(result.why, "cosize");
  return result.value;
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
