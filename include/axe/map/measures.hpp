// SPDX-License-Identifier: MIT
// size, span, min, max, cosize: a layout's size, and its reach on an axis. Without a swizzle:
//
//     span_a = 1 + sum over D and R on a of (e - 1) * |s|
//     min_a = O_a + sum of (e - 1) * min(s, 0),  max_a = min_a + span_a - 1,  cosize_a = max_a + 1
//
// Definition: docs/algebra.md, D4.
#pragma once

#include <axe/map/reach.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr outcome<integer> try_size(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::product_of_extents(l.shards);
}

AXE_LAZY_FN constexpr outcome<integer>(try_min)(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (reached.why) return reached.why;
  return reached->least;
}

AXE_LAZY_FN constexpr outcome<integer>(try_max)(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (reached.why) return reached.why;
  return reached->largest;
}

AXE_LAZY_FN constexpr outcome<integer> try_span(layout const& l, axis a) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (reached.why) return reached.why;
  return reached->span();
}

AXE_LAZY_FN constexpr outcome<integer> try_cosize(layout const& l, axis a = axis::m) {
  outcome<detail::interval> const reached = detail::try_reach(l, a);
  if (reached.why) return reached.why;
  if (reached->least < 0) return refusal{rule::least_place_is_negative, {reached->least}, {a}};
  return reached->largest + 1;
}

AXE_LAZY_FN constexpr integer size(layout const& l) {
  return detail::stop_on(try_size(l), "size", {&l});
}
AXE_LAZY_FN constexpr integer span(layout const& l, axis a) {
  return detail::stop_on(try_span(l, a), "span", {&l});
}
AXE_LAZY_FN constexpr integer(min)(layout const& l, axis a) {
  return detail::stop_on((try_min)(l, a), "min", {&l});
}
AXE_LAZY_FN constexpr integer(max)(layout const& l, axis a) {
  return detail::stop_on((try_max)(l, a), "max", {&l});
}
AXE_LAZY_FN constexpr integer cosize(layout const& l, axis a = axis::m) {
  return detail::stop_on(try_cosize(l, a), "cosize", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
