// Measures: how many elements a layout has, and which places of an axis it reaches.
//
//     size = product of D's extents
//     span_a = 1 + sum over D and R on a of (e - 1) * |s|        positions between the least and the largest, inclusive
//     min_a = O_a + sum of (e - 1) * min(s, 0),  max_a = min_a + span_a - 1,  cosize_a = max_a + 1   (docs/algebra.md)
//
//     S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp
//         size 128    span lane 32    span warp 6    min warp 5    cosize warp 11
//
// Elements, never bytes. An axis that the layout does not name has span 1, min 0, max 0. Under a
// swizzle the figures on m are those of the addresses that are reached, through the XOR. Everything
// is exact in 64 bits or refused.
// Definition: docs/algebra.md, D4.
// Source: the Axe paper, section 2 (span); absolute strides, without the offset, are a correction
// (docs/algebra.md).
#pragma once

#include <axe/map/reach.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The number of elements. Refused: what `check` refuses. O(iters).
AXE_FN constexpr outcome<integer> try_size(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::product_of_extents(l.shards);
}

/// The least place on axis a.
AXE_FN constexpr outcome<integer>(try_min)(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (!reached) return reached.why;
  return reached->least;
}

/// The largest place on axis a.
AXE_FN constexpr outcome<integer>(try_max)(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (!reached) return reached.why;
  return reached->largest;
}

/// The number of positions between the least and the largest place on axis a, inclusive.
AXE_FN constexpr outcome<integer> try_span(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (!reached) return reached.why;
  return reached->largest - reached->least + 1;
}

/// The number of places that a buffer on axis a needs when it starts at 0. Refused when a place is
/// negative.
AXE_FN constexpr outcome<integer> try_cosize(layout const& l, axis a = axis::m) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::least_place_is_negative, {reached->least}, {a}};
  return reached->largest + 1;
}

AXE_FN constexpr integer size(layout const& l) {
  outcome<integer> const result = try_size(l);
  if (!result) detail::stop_on(result.why, "size", {&l});
  return result.value;
}
AXE_FN constexpr integer span(layout const& l, axis a) {
  outcome<integer> const result = try_span(l, a);
  if (!result) detail::stop_on(result.why, "span", {&l});
  return result.value;
}
AXE_FN constexpr integer(min)(layout const& l, axis a) {
  outcome<integer> const result = (try_min)(l, a);
  if (!result) detail::stop_on(result.why, "min", {&l});
  return result.value;
}
AXE_FN constexpr integer(max)(layout const& l, axis a) {
  outcome<integer> const result = (try_max)(l, a);
  if (!result) detail::stop_on(result.why, "max", {&l});
  return result.value;
}
AXE_FN constexpr integer cosize(layout const& l, axis a = axis::m) {
  outcome<integer> const result = try_cosize(l, a);
  if (!result) detail::stop_on(result.why, "cosize", {&l});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
