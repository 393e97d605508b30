// SPDX-License-Identifier: MIT
// at(L, c): the place of coordinate c. index_of(L, c): its element number. coordinate_of(L, i): the
// coordinate of element i.
//
//     at(((2,4),8):((1,16),2), {{1, 3}, 5})        1 + 48 + 10 = 59
//
// Unlike CuTe, axe checks the bounds of coordinates.
#pragma once

#include <axe/cute/engine/as_plain.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr outcome<integer> index_within(layout const& l, tree const& c) {
  if (c.is_integer()) {
    integer const index = c.nodes.value(0);
    integer const size = size_of(l);
    if (index < 0 || index >= size) return refusal{rule::cute_index_outside, {index, size}};
    return index;
  }
  if (l.profile[0] == leaf_node) return refusal{rule::cute_coordinate_is_nested_deeper, {c.rank()}};
  if (rank(l) != c.rank()) return refusal{rule::cute_coordinate_does_not_fit, {c.rank(), rank(l)}};
  integer index = 0;
  integer weight = 1;
  for (int k = 0; k < c.rank(); ++k) {
    layout const part = mode(l, k);
    outcome<integer> const inside = index_within(part, c[k]);
    if (!inside) return inside;
    index += *inside * weight;
    weight *= size_of(part);
  }
  return index;
}

}  // namespace detail

AXE_FN constexpr outcome<integer> try_index_of(layout const& l, int_tuple const& c) {
  if (refusal const bad = check(l)) return bad;
  if (c.overflowed || c.nodes.empty()) return refusal{rule::cute_too_large};
  return detail::index_within(l, c);
}
AXE_FN constexpr integer index_of(layout const& l, int_tuple const& c) {
  return detail::stop_on(try_index_of(l, c), "index_of");
}

AXE_FN constexpr outcome<integer> try_at(layout const& l, int_tuple const& c) {
  outcome<integer> const index = try_index_of(l, c);
  if (!index) return index;
  return detail::address_at(l.map, *index);
}
AXE_FN constexpr integer at(layout const& l, int_tuple const& c) {
  return detail::stop_on(try_at(l, c), "at");
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
  return detail::stop_on(try_coordinate_of(l, i), "coordinate_of");
}

/// 1 + the largest place after the swizzle.
AXE_FN constexpr outcome<integer> try_cosize(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  outcome<detail::interval> const reached = detail::reach_from_zero(l.map);
  if (reached.why) return reached.why;
  return reached->largest + 1;
}
AXE_FN constexpr integer cosize(layout const& l) {
  return detail::stop_on(try_cosize(l), "cosize");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
