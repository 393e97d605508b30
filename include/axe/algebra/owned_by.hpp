// SPDX-License-Identifier: MIT
// owned_by(L, S, place): the elements at a place, as disjoint pieces with their own layouts.
//
//     tile = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, shape (8,16)
//     owned_by(tile, {8,16}, 8*lane + 6*warp)      (2:3, 8:10), layout S[((),(2)):((),(1@reg))]
//
// The place fixes the digits on its axes. The others form a piece. If D does not group by S,
// coordinates are element numbers (`flattened`).
// Definition: docs/algebra.md, D8.
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/layout/region.hpp>
#include <axe/map/elements.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct piece {
  shape extents;
  coordinate origin;  // one row-major integer if `flattened`
  layout steps;       // the coordinates minus `origin`, one block per dimension
  layout places;      // in owned_by, without the axes that the place names
  bool flattened = false;

  /// The steps along dimension d. S[4:2] is 4 coordinates, every second one.
  AXE_LAZY_FN constexpr layout along(int d) const {
    layout block;
    block.shards = detail::canonical_shards(detail::iters_of_block(steps, d));
    return block;
  }
  AXE_FN constexpr integer begin(int d) const { return origin.nodes.value(origin.entry(d)); }
  AXE_LAZY_FN constexpr integer extent(int d) const {
    return extents.nodes.value(extents.entry(d));
  }
  AXE_LAZY_FN constexpr bool contiguous(int d) const {
    layout const block = along(d);
    return block.shards.count == 0 || (block.shards.count == 1 && block.shards[0].stride == 1);
  }
  AXE_LAZY_FN constexpr bool is_region() const {
    for (int d = 0; d < steps.blocks.count; ++d)
      if (!contiguous(d)) return false;
    return !flattened || steps.blocks.count == 0;
  }
};

/// Prints `(2:3, 8:10)`, `1 + S[4:2]` for strided coordinates, or `elements 3:6` if flattened.
AXE_FN constexpr void print_coordinates(auto& out, piece const& p) {
  out.put(p.flattened ? "elements " : "(");
  for (int d = 0; d < p.steps.blocks.count; ++d) {
    detail::print_all(out, d > 0 ? ", " : "", p.begin(d));
    if (p.contiguous(d))
      detail::print_all(out, ':', p.begin(d) + p.extent(d));
    else
      detail::print_all(out, " + ", p.along(d));
  }
  if (!p.flattened) out.put(')');
}

AXE_FN constexpr void print(auto& out, piece const& p) {
  print_coordinates(out, p);
  detail::print_all(out, " holds ", p.places);
}

namespace detail {

/// A grouped layout, and which of its digits the place fixes.
struct fixed_digits {
  layout l;
  shape seen_as;
  bool flattened = false;
  place owner;
  digit_search search;
  list<bool, capacity::shards> is_fixed;
  bool reachable = true;

  constexpr fixed_digits() = default;
  AXE_LAZY_FN constexpr fixed_digits(layout const& grouped, shape const& s, place const& p,
                                     bool flat)
      : l(grouped), seen_as(s), flattened(flat), owner(p) {
    reachable = set_targets(l, p, search);
    for (iter const& i : l.shards) {
      is_fixed.push(search.target_of(i) >= 0);
      if (is_fixed.back()) search.add(i);
    }
  }

  AXE_LAZY_FN constexpr piece item(digit_list const& at) const {
    return part(at, at.count, 0, false);
  }
  /// Counts fixed digits from 0. Those before `ranged` have the values of `at`. Number `ranged` has
  /// those from at[ranged] to below `to`. All other digits have all values.
  AXE_LAZY_FN constexpr piece part(digit_list const& at, int ranged, integer to,
                                   bool keep_axes) const {
    piece out;
    out.flattened = flattened;
    extent_list begins;
    extent_list extents;
    place moved;
    int k = 0;
    int next = 0;
    for (int d = 0; d < l.blocks.count; ++d) {
      integer begin = 0;
      integer extent = 1;
      integer weight = product_of_extents(iters_of_block(l, d));
      int const kept = out.steps.shards.count;
      for (int const last = k + l.blocks[d]; k < last; ++k) {
        iter digit = l.shards[k];
        weight /= digit.extent;
        if (is_fixed[k]) {
          range values{0, digit.extent};
          if (next <= ranged) values = {at[next], next < ranged ? at[next] + 1 : to};
          ++next;
          begin += values.begin * weight;
          moved.add({values.begin * digit.stride, digit.on});
          digit.extent = values.end - values.begin;
          if (digit.extent == 1) continue;
        }
        extent *= digit.extent;
        out.steps.shards.push({digit.extent, weight, axis::m});
        out.places.shards.push(digit);
      }
      out.steps.blocks.push(out.steps.shards.count - kept);
      begins.push(begin);
      extents.push(extent);
    }
    out.places.blocks = out.steps.blocks;
    out.extents = shape(with_leaves(seen_as, extents));
    out.origin = flattened ? coordinate(begins[0]) : coordinate(with_leaves(seen_as, begins));
    place_piece(out.places, moved, keep_axes);
    return out;
  }

  AXE_LAZY_FN constexpr void place_piece(layout& places, place const& moved, bool keep_axes) const {
    auto const kept = [&](axis a) { return keep_axes || !owner.names(a); };
    for (iter& i : places.shards)
      if (!kept(i.on)) i = {i.extent, 0, axis::null};
    copy_kept(l, kept, places);
    add_offset(places, keep_axes ? moved : place{});
  }
};

}  // namespace detail

using ownership = solution_range<detail::fixed_digits>;

namespace detail {

AXE_LAZY_FN constexpr outcome<fixed_digits> try_fixed_digits(layout const& l, shape const& s,
                                                             place const& p, step_limit steps) {
  valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  extent_list dimensions;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  shape by_dimension = shape_with(dimensions);
  outcome<layout> grouped = group_of(operand, by_dimension);
  bool const flat = !grouped && grouped.why.is(rule::does_not_group);
  if (flat) by_dimension = product_of_extents(l.shards);
  if (flat) grouped = group_of(operand, by_dimension);
  if (grouped.why) return grouped.why;
  fixed_digits const split(*grouped, by_dimension, p, flat);
  if (!search_ends_within(split, steps)) return steps.refusal();
  return split;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<ownership> try_owned_by(layout const& l, shape const& s,
                                                      place const& p, step_limit steps = {}) {
  outcome<detail::fixed_digits> const fixed = detail::try_fixed_digits(l, s, p, steps);
  if (fixed.why) return fixed.why;
  return ownership(fixed.value);
}

AXE_LAZY_FN constexpr ownership owned_by(layout const& l, shape const& s, place const& p) {
  return detail::stop_on(try_owned_by(l, s, p), "owned_by", {&l, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
