// SPDX-License-Identifier: MIT
// rewrite(L, whole = n*part + … + part): moves L from an axis to its parts, or back.
//
//     rewrite(S[(2,32):(32@tid,1@tid)], tid = 32*warp + lane)      S[(2,32):(1@warp,1@lane)]
//     rewrite(S[(2,32):(1@warp,1@lane)] + 3@warp, tid = 32*warp + lane)     S[64:1@tid] + 96@tid
//
// A split is rejected if one part would carry into the next. Source: CUDA's thread axes.
// Definition: docs/algebra.md, D14.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/join_axes.hpp>
#include <axe/construct/carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr refusal check(axis_composition const& c) {
  if (c.left_out > 0 || c.parts.count < 2)
    return {rule::composition_needs_parts, {c.parts.count + c.left_out}};
  for (int i = 0; i < c.parts.count; ++i) {
    if (c.whole == axis::null || c.parts[i].on == axis::null) return {rule::composition_of_no_axis};
    if (c.parts[i].on == c.whole) return {rule::composition_of_itself, {}, {c.whole}};
    // Users may fill the list of parts without the constructor.
    for (int j = 0; j < i; ++j)
      if (c.parts[j].on == c.parts[i].on)
        return {rule::composition_part_twice, {}, {c.parts[i].on}};
    if (c.parts[i].n < 1)
      return {rule::composition_factor_below_one, {c.parts[i].n}, {c.parts[i].on}};
    if (i == 0) continue;
    term const& above = c.parts[i - 1];
    if (above.n == c.parts[i].n)
      return {rule::composition_equal_factors, {above.n}, {above.on, c.parts[i].on}};
    if (above.n % c.parts[i].n != 0)
      return {rule::composition_factors, {above.n, c.parts[i].n}, {above.on, c.parts[i].on}};
  }
  if (c.parts.back().n != 1)
    return {rule::composition_lowest_factor, {c.parts.back().n}, {c.parts.back().on}};
  return {};
}

namespace detail {

/// Cuts iters so that each piece is on one part.
struct part_cutter {
  axis_composition const& c;
  interval reach[6]{};  // the places of part p's pieces, on the whole axis

  /// Cuts an iter where its steps become multiples of the next factor. Pushes the slowest piece
  /// first.
  AXE_FN constexpr void cut(iter left, auto& sink) {
    iter pieces[6]{};
    int count = 0;
    for (int p = c.parts.count - 1; p > 0 && left.extent > 1; --p) {
      term const part = c.parts.at[p];
      integer const factor = c.parts.at[p - 1].n;
      if (left.stride % factor == 0) continue;
      integer const turn = factor / greatest_common_divisor(factor, left.stride);
      integer const taken = left.extent % turn == 0 ? turn : left.extent;
      (left.stride < 0 ? reach[p].least : reach[p].largest) += (taken - 1) * left.stride;
      pieces[count++] = {taken, left.stride / part.n, part.on};
      left.extent /= taken;
      if (left.extent > 1) left.stride *= taken;  // else it may overflow
    }
    term const top = c.parts.at[0];
    if (left.extent > 1) pieces[count++] = {left.extent, left.stride / top.n, top.on};
    while (count > 0) sink.push(pieces[--count]);
  }

  AXE_FN constexpr void cut_all(auto const& iters, auto& sink) {
    for (int k = 0; k < iters.count; ++k) {
      iter const& i = iters.at[k];
      if (i.on == c.whole)
        cut(i, sink);
      else
        sink.push(i);
    }
  }

  /// Rejects a lower part that would carry.
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
      if (refusal const bad = push_offset(parted, own / part.n, part.on)) return bad;
    }
    return {};
  }
};

/// Counts all replicas, also those beyond the capacity.
struct replica_sink {
  list<iter, capacity::replicas>& held;
  int count = 0;

  AXE_FN constexpr void push(iter const& r) {
    held.push(r);
    ++count;
  }
};

AXE_LAZY_FN constexpr outcome<layout> split(valid_layout operand, axis_composition const& c) {
  layout const& l = operand;
  part_cutter cutter{c};
  layout parted;
  digit_builder shards;
  cutter.cut_all(l.shards, shards);
  replica_sink replicas{parted.replicas};
  cutter.cut_all(l.replicas, replicas);
  for (term const& o : l.offsets)
    if (o.on != c.whole) parted.offsets.push(o);
  if (refusal const bad = cutter.split_offset(l.offset(c.whole), parted)) return bad;
  if (refusal const bad = shards.finish(parted.shards)) return bad;
  if (replicas.count > capacity::replicas) return refusal{rule::too_many_replicas};
  return finished(parted);
}

AXE_LAZY_FN constexpr outcome<layout> split_named(valid_layout canonical,
                                                  axis_composition const& c) {
  axis const part = part_named(canonical, c);
  if (part != axis::null) return refusal{rule::names_whole_and_part, {}, {c.whole, part}};
  if (canonical->swizzle.none()) return split(canonical, c);
  outcome<layout> const plain = rewritable(canonical, c.whole);
  return plain ? split(plain, c) : plain;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_rewrite(layout const& l, axis_composition const& c) {
  // The canonical form shows which axes L uses: an iter of stride 0 does not use its axis.
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  if (refusal const bad = check(c)) return bad;
  if (detail::names(*canonical, c.whole)) return detail::split_named(canonical, c);
  return detail::to_whole(canonical, c);
}

AXE_LAZY_FN constexpr layout rewrite(layout const& l, axis_composition const& c) {
  auto const result = try_rewrite(l, c);
  if (result.why) detail::stop_on(result.why, "rewrite", {&l});
  return result.value;
}
AXE_CARRIER_FORM(rewrite);

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> to_parts(layout const& l, axis_composition const& c) {
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical || !names(*canonical, c.whole)) return canonical;
  return split_named(canonical, c);
}

}  // namespace detail

/// Splits tid into warp and lane.
AXE_LAZY_FN constexpr outcome<layout> try_to_lane_warp(layout const& l) {
  constexpr axis_composition c = compositions::tid_of_warp_lane;
  return detail::to_parts(l, c);
}
/// Splits tid into wg and tid_in_wg.
AXE_LAZY_FN constexpr outcome<layout> try_to_wg(layout const& l) {
  constexpr axis_composition c = compositions::tid_of_wg;
  return detail::to_parts(l, c);
}
/// Splits tid_in_wg into wid_in_wg and lane.
AXE_LAZY_FN constexpr outcome<layout> try_to_wid_in_wg(layout const& l) {
  constexpr axis_composition c = compositions::tid_in_wg_of_lane;
  return detail::to_parts(l, c);
}
/// Splits warp into wg and wid_in_wg.
AXE_LAZY_FN constexpr outcome<layout> try_to_wg_wid_in_wg(layout const& l) {
  constexpr axis_composition c = compositions::warp_of_wg;
  return detail::to_parts(l, c);
}

AXE_LAZY_FN constexpr layout to_lane_warp(layout const& l) {
  auto const result = try_to_lane_warp(l);
  if (result.why) detail::stop_on(result.why, "to_lane_warp", {&l});
  return result.value;
}
AXE_CARRIER_FORM(to_lane_warp);
AXE_LAZY_FN constexpr layout to_wg(layout const& l) {
  auto const result = try_to_wg(l);
  if (result.why) detail::stop_on(result.why, "to_wg", {&l});
  return result.value;
}
AXE_CARRIER_FORM(to_wg);
AXE_LAZY_FN constexpr layout to_wid_in_wg(layout const& l) {
  auto const result = try_to_wid_in_wg(l);
  if (result.why) detail::stop_on(result.why, "to_wid_in_wg", {&l});
  return result.value;
}
AXE_CARRIER_FORM(to_wid_in_wg);
AXE_LAZY_FN constexpr layout to_wg_wid_in_wg(layout const& l) {
  auto const result = try_to_wg_wid_in_wg(l);
  if (result.why) detail::stop_on(result.why, "to_wg_wid_in_wg", {&l});
  return result.value;
}
AXE_CARRIER_FORM(to_wg_wid_in_wg);

}  // namespace AXE_NAMESPACE
}  // namespace axe
