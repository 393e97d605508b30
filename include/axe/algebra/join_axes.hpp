// SPDX-License-Identifier: MIT
// to_tid, to_warp, to_tid_in_wg: join the parts of a thread axis into the whole axis.
//
//     to_tid(S[(2,32):(1@warp,1@lane)] + 3@warp)       S[64:1@tid] + 96@tid
//
// Definition: docs/algebra.md, D14.
#pragma once

#include <axe/algebra/axis_composition.hpp>
#include <axe/algebra/canonicalize.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr bool join_iters(auto& iters, axis_composition const& c) {
  for (iter& i : iters)
    for (term const& part : c.parts) {
      if (!part.is_on(i.on)) continue;
      if (!multiply(i.stride, part.n)) return false;
      i = {i.extent, i.stride, c.whole};
      break;
    }
  return true;
}

AXE_LAZY_FN constexpr outcome<layout> join(valid_layout operand, axis_composition const& c) {
  layout const& l = operand;
  for (int i = 1; i < c.parts.count; ++i) {
    interval const reach = reach_before_swizzle(l, c.parts[i].on);
    integer const room = c.parts[i - 1].n / c.parts[i].n;
    if (reach.least < 0 || reach.largest >= room)
      return refusal{rule::part_leaves_its_range,
                     {reach.least, reach.largest, room},
                     {c.parts[i].on, c.whole}};
  }
  layout joined = l;
  joined.blocks.clear();
  joined.offsets.clear();
  if (!join_iters(joined.shards, c) || !join_iters(joined.replicas, c))
    return refusal{rule::result_places_overflow, {}, {c.whole}};
  for (term const& t : l.offsets)
    if (!c.has_part(t.on)) joined.offsets.push(t);
  integer o = 0;
  for (int i = 0; i < c.parts.count; ++i) {
    integer const ratio = i == 0 ? 1 : c.parts[i - 1].n / c.parts[i].n;
    if (!multiply_add(o, ratio, l.offset(c.parts[i].on)))
      return refusal{rule::result_places_overflow, {}, {c.whole}};
  }
  add_to_offset(joined, o, c.whole);
  order_offsets(joined);
  return canonical_result(joined);
}

AXE_LAZY_FN constexpr outcome<layout> to_whole(outcome<layout> const& canonical,
                                               axis_composition const& c) {
  if (!canonical) return canonical;
  axis part = part_named(*canonical, c);
  if (same(part, axis::null)) return canonical;
  if (names(*canonical, c.whole)) return refusal{rule::names_whole_and_part, {}, {c.whole, part}};
  if (canonical->swizzle.none()) return join(canonical, c);
  outcome<layout> const plain = rewritable(canonical, part);
  return plain ? join(plain, c) : plain;
}

}  // namespace detail

/// Joins wid_in_wg and lane.
AXE_LAZY_FN constexpr outcome<layout> try_to_tid_in_wg(layout const& l) {
  return detail::to_whole(try_canonicalize(l), compositions::tid_in_wg_of_lane());
}
/// Joins wg and wid_in_wg.
AXE_LAZY_FN constexpr outcome<layout> try_to_warp(layout const& l) {
  return detail::to_whole(try_canonicalize(l), compositions::warp_of_wg());
}
/// Joins warp and lane, wg and tid_in_wg, or wg, wid_in_wg and lane. Unnamed parts are 0.
AXE_LAZY_FN constexpr outcome<layout> try_to_tid(layout const& l) {
  using namespace detail;
  outcome<layout> done = try_canonicalize(l);
  if (!done) return done;
  axis part = axis::null;
  for (axis a : {axis::wg, axis::tid_in_wg, axis::warp, axis::wid_in_wg, axis::lane})
    if (names(*done, a)) part = a;
  // tid_in_wg contains lane and wid_in_wg, and overlaps with warp.
  bool names_tid_in_wg = names(*done, axis::tid_in_wg);
  if (names_tid_in_wg && !same(part, axis::tid_in_wg))
    return refusal{rule::names_whole_and_part, {}, {axis::tid_in_wg, part}};
  if (names(*done, axis::tid) && !same(part, axis::null))
    return refusal{rule::names_whole_and_part, {}, {axis::tid, part}};
  bool names_wg = names(*done, axis::wg);
  if (names(*done, axis::wid_in_wg) || (names_wg && !names_tid_in_wg && !same(part, axis::wg))) {
    bool joins_warps = names_wg || names(*done, axis::warp);
    done = to_whole(done,
                    joins_warps ? compositions::warp_of_wg() : compositions::tid_in_wg_of_lane());
    if (!done) return done;
  }
  bool by_warpgroup = names(*done, axis::tid_in_wg) || names(*done, axis::wg);
  return to_whole(done,
                  by_warpgroup ? compositions::tid_of_wg() : compositions::tid_of_warp_lane());
}

AXE_LAZY_FN constexpr layout to_tid_in_wg(layout const& l) {
  return detail::stop_on(try_to_tid_in_wg(l), "to_tid_in_wg", {&l});
}
AXE_CARRIER_FORM(to_tid_in_wg);
AXE_LAZY_FN constexpr layout to_warp(layout const& l) {
  return detail::stop_on(try_to_warp(l), "to_warp", {&l});
}
AXE_CARRIER_FORM(to_warp);
AXE_LAZY_FN constexpr layout to_tid(layout const& l) {
  return detail::stop_on(try_to_tid(l), "to_tid", {&l});
}
AXE_CARRIER_FORM(to_tid);

}  // namespace AXE_NAMESPACE
}  // namespace axe
