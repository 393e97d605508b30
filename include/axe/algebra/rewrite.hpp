// SPDX-License-Identifier: MIT
// rewrite(L, whole = n*part + … + part): moves L from an axis to its parts, or back.
//
//     rewrite(S[(2,32):(32@tid,1@tid)], tid = 32*warp + lane)      S[(2,32):(1@warp,1@lane)]
//
// Definition: docs/algebra.md, D14.
#pragma once

#include <axe/algebra/join_axes.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr refusal check(axis_composition const& c) {
  if (c.left_out > 0 || c.parts.count < 2)
    return {rule::composition_needs_parts, {c.parts.count + c.left_out}};
  for (int i = 0; i < c.parts.count; ++i) {
    term const& part = c.parts[i];
    if (detail::same(c.whole, axis::null) || part.is_on(axis::null))
      return {rule::composition_of_no_axis};
    if (part.is_on(c.whole)) return {rule::composition_of_itself, {}, {c.whole}};
    // Users may fill `parts` themselves.
    for (int j = 0; j < i; ++j)
      if (c.parts[j].is_on(part.on)) return {rule::composition_part_twice, {}, {part.on}};
    if (part.n < 1) return {rule::composition_factor_below_one, {part.n}, {part.on}};
    if (i == 0) continue;
    term const& above = c.parts[i - 1];
    if (above.n == part.n) return {rule::composition_equal_factors, {above.n}, {above.on, part.on}};
    if (above.n % part.n != 0)
      return {rule::composition_factors, {above.n, part.n}, {above.on, part.on}};
  }
  if (c.parts.back().n != 1)
    return {rule::composition_lowest_factor, {c.parts.back().n}, {c.parts.back().on}};
  return {};
}

namespace detail {

struct part_cutter {
  axis_composition const& c;
  interval reach[6]{};  // places of part p's pieces, counted on c.whole
  bool overflowed = false;

  /// Cuts an iter into pieces, at most one for each part: 6:16@tid gives 2:16@lane and 3:1@warp. A
  /// piece ends where extent * stride, counted on c.whole, is a multiple of the next higher part's
  /// factor, else at the end of the iter.
  AXE_FN constexpr void cut(iter left, int p, auto& sink) {
    term const part = c.parts.at[p];
    iter piece{left.extent, left.stride / part.n, part.on};
    if (p > 0) {
      integer const factor = c.parts.at[p - 1].n;
      if (left.stride % factor == 0) return cut(left, p - 1, sink);
      integer const turn = factor / greatest_common_divisor(factor, left.stride);
      if (left.extent % turn == 0) piece.extent = turn;
      (left.stride < 0 ? reach[p].least : reach[p].largest) += (piece.extent - 1) * left.stride;
      left.extent /= piece.extent;
      if (left.extent > 1) {
        left.stride *= piece.extent;
        cut(left, p - 1, sink);
      }
    }
    if (!sink.push(piece)) overflowed = true;
  }

  AXE_FN constexpr void cut_all(auto const& iters, auto& sink) {
    for (int k = 0; k < iters.count; ++k) {
      iter const& i = iters.at[k];
      if (i.is_on(c.whole))
        cut(i, c.parts.count - 1, sink);
      else if (!sink.push(i))
        overflowed = true;
    }
  }

  AXE_LAZY_FN constexpr refusal split_offset(integer offset, layout& parted) const {
    for (int p = c.parts.count - 1; p >= 0; --p) {
      term const part = c.parts.at[p];
      integer own = offset;
      if (p > 0) {
        integer const factor = c.parts.at[p - 1].n;
        integer from = offset;
        if (!add(from, reach[p].least)) return {rule::result_places_overflow, {}, {c.whole}};
        integer turns = floor_divide(from, factor);
        if (turns != 0 && (!multiply(turns, factor) || turns == smallest || !add(own, -turns)))
          return {rule::result_places_overflow, {}, {c.whole}};
        if (own >= factor - reach[p].largest) {
          integer reaches = reach[p].largest;
          if (!add(reaches, own)) reaches = largest;
          return {rule::part_carries, {own + reach[p].least, reaches, factor}, {part.on, c.whole}};
        }
        offset = turns;
      }
      own /= part.n;
      if (own != 0 && !parted.offsets.push({own, part.on})) return {rule::too_many_offsets};
    }
    return {};
  }
};

AXE_LAZY_FN constexpr outcome<layout> split(layout const& l, axis_composition const& c) {
  part_cutter cutter{c};
  layout parted;
  digit_builder shards;
  cutter.cut_all(l.shards, shards);
  cutter.cut_all(l.replicas, parted.replicas);
  integer offset = 0;
  for (int k = 0; k < l.offsets.count; ++k)
    if (l.offsets.at[k].is_on(c.whole))
      offset = l.offsets.at[k].n;
    else
      parted.offsets.push(l.offsets.at[k]);
  if (refusal const bad = cutter.split_offset(offset, parted)) return bad;
  if (refusal const bad = shards.finish(parted.shards)) return bad;
  if (cutter.overflowed) return refusal{rule::too_many_replicas};
  return finished(parted);
}

AXE_LAZY_FN constexpr outcome<layout> split_named(valid_layout canonical,
                                                  axis_composition const& c) {
  layout const& l = canonical;
  axis part = part_named(l, c);
  if (!same(part, axis::null)) return refusal{rule::names_whole_and_part, {}, {c.whole, part}};
  if (l.swizzle.none()) return split(l, c);
  outcome<layout> const plain = rewritable(canonical, c.whole);
  return plain ? split(*plain, c) : plain;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_rewrite(layout const& l, axis_composition const& c) {
  // canonical, because an iter of stride 0 uses no axis
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  if (refusal const bad = check(c)) return bad;
  if (detail::names(*canonical, c.whole)) return detail::split_named(canonical, c);
  return detail::to_whole(canonical, c);
}

AXE_LAZY_FN constexpr layout rewrite(layout const& l, axis_composition const& c) {
  return detail::stop_on(try_rewrite(l, c), "rewrite", {&l});
}
AXE_CARRIER_FORM(rewrite);

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> to_parts(layout const& l, axis_composition const& c) {
  outcome<layout> const canonical = try_canonicalize(l);
  if (canonical.why || !names(canonical.value, c.whole)) return canonical;
  return split_named(canonical, c);
}

}  // namespace detail

/// Splits tid into warp and lane.
AXE_LAZY_FN constexpr outcome<layout> try_to_lane_warp(layout const& l) {
  return detail::to_parts(l, compositions::tid_of_warp_lane());
}
/// Splits tid into wg and tid_in_wg.
AXE_LAZY_FN constexpr outcome<layout> try_to_wg(layout const& l) {
  return detail::to_parts(l, compositions::tid_of_wg());
}
/// Splits tid_in_wg into wid_in_wg and lane.
AXE_LAZY_FN constexpr outcome<layout> try_to_wid_in_wg(layout const& l) {
  return detail::to_parts(l, compositions::tid_in_wg_of_lane());
}
/// Splits warp into wg and wid_in_wg.
AXE_LAZY_FN constexpr outcome<layout> try_to_wg_wid_in_wg(layout const& l) {
  return detail::to_parts(l, compositions::warp_of_wg());
}

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> split_threads(layout const& l) {
  for (axis a : axes_of(l)) {
    if (detail::same(a, axis::tid)) return try_to_lane_warp(l);
    if (detail::same(a, axis::tid_in_wg)) return try_to_wid_in_wg(l);
  }
  return l;
}

}  // namespace detail

AXE_LAZY_FN constexpr layout to_lane_warp(layout const& l) {
  return detail::stop_on(try_to_lane_warp(l), "to_lane_warp", {&l});
}
AXE_CARRIER_FORM(to_lane_warp);
AXE_LAZY_FN constexpr layout to_wg(layout const& l) {
  return detail::stop_on(try_to_wg(l), "to_wg", {&l});
}
AXE_CARRIER_FORM(to_wg);
AXE_LAZY_FN constexpr layout to_wid_in_wg(layout const& l) {
  return detail::stop_on(try_to_wid_in_wg(l), "to_wid_in_wg", {&l});
}
AXE_CARRIER_FORM(to_wid_in_wg);
AXE_LAZY_FN constexpr layout to_wg_wid_in_wg(layout const& l) {
  return detail::stop_on(try_to_wg_wid_in_wg(l), "to_wg_wid_in_wg", {&l});
}
AXE_CARRIER_FORM(to_wg_wid_in_wg);

}  // namespace AXE_NAMESPACE
}  // namespace axe
