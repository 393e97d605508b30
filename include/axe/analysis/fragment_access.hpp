// SPDX-License-Identifier: MIT
// fragment_access(F, T, S, bits, values): a warp's access to a tensor of shape S, one tile of shape
// T after the other. F maps the elements of a tile to lanes and registers.
//
//     fragment_access(S[(8,4,2):(4@lane,1@lane,1@reg)], (8,8), (64,64), 16, 2).elements
//         S[(8,8,8,8):(512,8,64,1)]
//
// An instruction accesses `values` registers of each lane. Elements have `bits` bits.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/inverse.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/rewrite.hpp>
#include <axe/analysis/access.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// `tiles`: (tile, element of T) -> element of S.
AXE_LAZY_FN constexpr refusal tiles_of(shape const& t, shape const& s, layout& tiles) {
  extent_list inner, outer, tile_counts;
  if (refusal const bad = dimensions_of(t, inner)) return bad;
  if (refusal const bad = dimensions_of(s, outer)) return of_operand(1, bad);
  if (refusal const bad = divide_extents(outer, inner, tile_counts)) return bad;
  extent_list const pitches = pitches_of(outer);
  digit_builder digits;
  for (int d = 0; d < inner.count; ++d)
    digits.push({tile_counts[d], inner[d] * pitches[d], axis::m});
  for (int d = 0; d < inner.count; ++d) digits.push({inner[d], pitches[d], axis::m});
  return digits.finish(tiles.shards);
}

struct fragment_axes {
  axis_list order;  // axes of warps and larger units, then of lanes, then of registers
  integer others = 1, lanes = 1, slots = 1;  // positions on the three kinds of axes

  AXE_LAZY_FN constexpr refusal read(layout const& f) {
    axis_list registers;
    for (axis a : axes_of(f)) {
      outcome<interval> const reach = reach_of(f, a);
      if (reach.why) return reach.why;
      integer const positions = reach->span();
      if (a == axis::lane) {
        if (reach->least != 0) return {rule::access_first_lane, {reach->least}};
        lanes = positions;
        continue;
      }
      bool const in_memory = kind_of(a) == kind::memory;
      (in_memory ? registers : order).push(a);
      if (!multiply(in_memory ? slots : others, positions)) return {rule::size_overflows};
    }
    order.push(axis::lane);
    for (axis a : registers) order.push(a);
    return {};
  }
};

}  // namespace detail

AXE_LAZY_FN constexpr outcome<access_pattern> try_fragment_access(layout const& unsplit,
                                                                  shape const& t, shape const& s,
                                                                  int bits, int values,
                                                                  step_limit steps = {}) {
  using namespace detail;
  if (refusal const bad = check(unsplit)) return bad;
  outcome<layout> const split = split_threads(unsplit);
  if (split.why) return split.why;
  layout const& f = split.value;
  extent_list leaves;
  if (refusal const bad = admit_leaves(f, t, leaves)) return bad;
  fragment_axes axes;
  if (refusal const bad = axes.read(f)) return bad;
  auto const& [order, others, lanes, slots] = axes;
  if (lanes > 32) return refusal{rule::access_lanes, {lanes}};
  if (values < 1 || slots % values != 0)
    return refusal{rule::access_splits_a_vector, {slots, values}};
  outcome<layout> const held = inverse_of(canonical(split), order, steps);
  if (held.why) return held.why;
  // (others, lane, vector, value) -> (others, vector, lane, value)
  outcome<layout> const by_vectors =
      permute_of(held, shape{others, lanes, slots / values, values}, coordinate{0, 2, 1, 3});
  if (by_vectors.why) return by_vectors.why;
  layout tiles, numbers;
  if (refusal const bad = tiles_of(t, s, tiles)) return bad;
  integer const in_tile = product_of_extents(f.shards);
  integer const count = product_of_extents(tiles.shards) / in_tile;
  digit_builder digits;
  digits.push({count, in_tile, axis::m});  // elements are numbered tile by tile
  for (iter const& i : by_vectors->shards) digits.push(i);
  if (refusal const bad = digits.finish(numbers.shards)) return bad;
  numbers.offsets = by_vectors->offsets;
  outcome<layout> const pattern =
      compose_of(valid_layout::proved(tiles), valid_layout::proved(numbers), steps);
  if (pattern.why) return pattern.why;
  access_pattern a{*pattern, bits, values, static_cast<int>(lanes)};
  if (refusal const bad = check_widths(a)) return bad;
  return a;
}

AXE_LAZY_FN constexpr access_pattern fragment_access(layout const& f, shape const& t,
                                                     shape const& s, int bits, int values) {
  return detail::stop_on(try_fragment_access(f, t, s, bits, values), "fragment_access",
                         {&f, nullptr, &t, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
