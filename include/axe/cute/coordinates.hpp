// Nested coordinates: at(L, c) is where c lies, coordinate_of(L, i) is the i-th coordinate,
// index_of(L, c) its number.
//
//     at(((2,4),8):((1,16),2), {{1, 3}, 5})        1 + 48 + 10 = 59
//     at(the same, {7, 5})                         59: an integer counts within its mode, first leaf fastest
//     at(the same, 47)                             59: and within the whole
//     coordinate_of(the same, 47)                  ((1,3),5)
//
// Refused: a coordinate nested deeper than the shape or of another rank, an entry outside its mode.
// CuTe takes any numbers: (7,0) of (4,8) is 7. cosize(L) is 1 + the largest place, through the
// swizzle.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/composition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The number of the coordinate at node p of c, within the subtree at `at`.
AXE_FN constexpr refusal index_within(layout const& l, cursor at, tree const& c, int p,
                                      integer& index) {
  if (c.nodes.is_integer(p)) {
    layout part;
    add_part(part, l, at);
    index = c.nodes.value(p);
    if (index < 0 || index >= size_of(part))
      return {rule::cute_index_outside, {index, size_of(part) - 1}};
    return {};
  }
  int const node = l.profile[at.node];
  if (node == leaf_node) return {rule::cute_coordinate_is_nested_deeper, {c.nodes.entries(p)}};
  if (node != c.nodes.entries(p))
    return {rule::cute_coordinate_does_not_fit, {c.nodes.entries(p), node}};
  index = 0;
  integer weight = 1;
  int next = p + 1;
  for (int k = 0; k < node; ++k) {
    cursor const here = entry(l, at, k);
    integer inside = 0;
    if (refusal const bad = index_within(l, here, c, next, inside)) return bad;
    layout part;
    add_part(part, l, here);
    index += inside * weight;
    weight *= size_of(part);
    next = c.skip(next);
  }
  return {};
}

}  // namespace detail

AXE_FN constexpr outcome<integer> try_index_of(layout const& l, int_tuple const& c) {
  if (refusal const bad = check(l)) return bad;
  if (c.full || c.nodes.empty()) return refusal{rule::cute_too_large};
  integer index = 0;
  if (refusal const bad = detail::index_within(l, {}, c, 0, index)) return bad;
  return index;
}
AXE_FN constexpr integer index_of(layout const& l, int_tuple const& c) {
  outcome<integer> const result = try_index_of(l, c);
  if (!result) detail::stop_on(result.why, "index_of", {});
  return *result;
}

AXE_FN constexpr outcome<integer> try_at(layout const& l, int_tuple const& c) {
  outcome<integer> const index = try_index_of(l, c);
  if (!index) return index;
  return detail::value_at(l, *index);
}
AXE_FN constexpr integer at(layout const& l, int_tuple const& c) {
  outcome<integer> const result = try_at(l, c);
  if (!result) detail::stop_on(result.why, "at", {});
  return *result;
}

AXE_FN constexpr outcome<int_tuple> try_coordinate_of(layout const& l, integer i) {
  outcome<integer> const place = try_at(l, i);  // asks whether i is an element
  if (!place) return place.why;
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
  outcome<int_tuple> const result = try_coordinate_of(l, i);
  if (!result) detail::stop_on(result.why, "coordinate_of", {});
  return *result;
}

AXE_FN constexpr outcome<integer> try_cosize(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  outcome<detail::interval> const reached = detail::reach(l);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  return reached->largest + 1;
}
AXE_FN constexpr integer cosize(layout const& l) {
  outcome<integer> const result = try_cosize(l);
  if (!result) detail::stop_on(result.why, "cosize", {});
  return *result;
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
