// SPDX-License-Identifier: MIT
// fragment_access(F, T, S, bits, values): the access of a warp that loads or stores a tensor of
// shape S in tiles of shape T. The fragment F says which register of which lane holds an element.
//
//     F = S[(8,4,2):(4@lane,1@lane,1@reg)] on T = (8,8)
//     fragment_access(F, (8,8), (64,64), 16, 2)             two 16-bit elements per lane, 64 tiles
//
// Registers are accessed `values` at a time. Rejects a fragment without inverse, lanes outside 0 to
// 31, and a T that does not divide S. Definition: docs/algebra.md, D19.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/inverse.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/analysis/access.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The iters of (tile, element of T) -> element of S; both shapes have the same rank.
AXE_LAZY_FN constexpr refusal tiles_of(shape const& t, shape const& s, layout& tiles) {
  extent_list inner, outer;
  integer of_tile = 1, size_s = 1;
  if (refusal const bad = dimensions_of(t, inner, of_tile)) return bad;
  if (refusal const bad = dimensions_of(s, outer, size_s)) return of_operand(1, bad);
  if (inner.count != outer.count)
    return {rule::shapes_have_other_ranks, {inner.count, outer.count}};
  digit_builder digits;
  for (bool const within : {false, true}) {
    integer pitch = size_s;
    for (int d = 0; d < inner.count; ++d) {
      if (outer[d] % inner[d] != 0) return {rule::extent_does_not_divide, {d, inner[d], outer[d]}};
      pitch /= outer[d];
      if (within)
        digits.push({inner[d], pitch, axis::m});
      else
        digits.push({outer[d] / inner[d], inner[d] * pitch, axis::m});
    }
  }
  return digits.finish(tiles.shards);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<access_pattern> try_fragment_access(layout const& f, shape const& t,
                                                                  shape const& s, int bits,
                                                                  int values,
                                                                  step_limit steps = {}) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(f)) return bad;
  detail::extent_list leaves;
  if (refusal const bad = detail::admit(f, t, leaves)) return bad;
  // Threads on other axes than lane come first, because they are other instructions; then lanes,
  // then registers.
  axis_list order;
  for (axis a : axes_of(f))
    if (a != axis::lane && kind_of(a) != kind::memory) order.push(a);
  order.push(axis::lane);
  integer lanes = 1, others = 1, slots = 1;
  for (axis a : axes_of(f)) {
    outcome<detail::interval> const reach = detail::reach_of(f, a);
    if (reach.why) return reach.why;
    integer const positions = reach->largest - reach->least + 1;
    if (a == axis::lane) {
      if (reach->least != 0) return refusal{rule::access_first_lane, {reach->least}};
      lanes = positions;
    } else if (kind_of(a) == kind::memory) {
      order.push(a);
      if (!detail::multiply(slots, positions)) return refusal{rule::size_overflows};
    } else if (!detail::multiply(others, positions)) {
      return refusal{rule::size_overflows};
    }
  }
  if (lanes > 32) return refusal{rule::access_lanes, {lanes}};
  if (values < 1 || slots % values != 0)
    return refusal{rule::access_splits_a_vector, {slots, values}};
  outcome<layout> const held = detail::inverse_of(detail::canonical(operand), order, steps);
  if (held.why) return held.why;
  // (others, lane, vector, value) -> (others, vector, lane, value)
  outcome<layout> const turned = detail::permute_of(
      held, shape{others, lanes, slots / values, values}, coordinate{0, 2, 1, 3});
  if (turned.why) return turned.why;
  layout tiles;
  if (refusal const bad = detail::tiles_of(t, s, tiles)) return bad;
  integer const in_tile = detail::product_of_extents(f.shards);
  integer const count = detail::product_of_extents(tiles.shards) / in_tile;
  layout inner;
  inner.offsets = turned->offsets;
  detail::digit_builder digits;
  digits.push({count, in_tile, axis::m});
  for (iter const& i : turned->shards) digits.push(i);
  if (refusal const bad = digits.finish(inner.shards)) return bad;
  outcome<layout> const pattern = detail::compose_of(detail::valid_layout::proved(tiles),
                                                     detail::valid_layout::proved(inner), steps);
  if (pattern.why) return pattern.why;
  access_pattern a{*pattern, bits, values, static_cast<int>(lanes), false, 0};
  detail::access_counts counts;
  if (refusal const bad = detail::check_widths(a, counts)) return bad;
  return a;
}

AXE_LAZY_FN constexpr access_pattern fragment_access(layout const& f, shape const& t,
                                                     shape const& s, int bits, int values,
                                                     step_limit steps = {}) {
  auto const result = try_fragment_access(f, t, s, bits, values, steps);
  detail::stop_on(result.why, "fragment_access", {&f, nullptr, &t, &s});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
