// rewrite(L, whole = n*part + … + part): the same places in other axes, thread axes and device meshes that are made of each other.
//
//     rewrite(S[(2,32):(32@tid,1@tid)], tid = 32*warp + lane)          S[(2,32):(1@warp,1@lane)]        also to_lane_warp(L)
//     rewrite(S[(2,32):(1@warp,1@lane)] + 3@warp, same)                S[64:1@tid] + 96@tid             also to_tid(L)
//     rewrite(S[64:1@lane], same)                                      refused: lane reaches 63, a warp has 32
//
// Explicit, both ways: a layout that names the whole is split into the parts, one that names parts is joined. Exact for D, R and O: joining needs every lower
// part inside its own range; splitting needs every digit on one part alone and the lower parts' sum, offset included, never carrying. Refused otherwise, and
// when L names both. The result is canonical. Source: docs/algebra.md, "Axes made of axes".
// Definition: docs/algebra.md, D14.
#pragma once

#include <axe/algebra/behind_swizzle.hpp>

namespace axe::inline AXE_NAMESPACE {

/// whole = f_0*part_0 + f_1*part_1 + … + 1*part_k, factors descending, each a multiple of the next; part_i counts [0, f_{i-1} / f_i).
struct axis_composition {
  axis whole = axis::null;
  list<term, 6> parts;  // n = factor, on = part; largest first

  constexpr axis_composition() = default;
  /// From `gpuid`, `4*mesh_y + 1*mesh_x`: terms in any order.
  AXE_FN constexpr axis_composition(axis name, place const& sum) : whole(name) {
    for (term const& t : sum.terms) {
      int at = 0;
      while (at < parts.size() && parts[at].n > t.n) ++at;
      if (!parts.insert(at, t)) too_long = true;
    }
  }
  bool too_long = false;

  AXE_FN friend constexpr bool operator==(axis_composition const&, axis_composition const&) = default;
};

/// The compositions of CUDA's thread axes.
namespace compositions {
inline constexpr axis_composition tid_of_warp_lane{axis::tid, place{{32, axis::warp}, {1, axis::lane}}};
inline constexpr axis_composition tid_of_wg{axis::tid, place{{128, axis::wg}, {1, axis::tid_in_wg}}};
inline constexpr axis_composition tid_in_wg_of_lane{axis::tid_in_wg,
                                                    place{{32, axis::wid_in_wg}, {1, axis::lane}}};
inline constexpr axis_composition warp_of_wg{axis::warp, place{{4, axis::wg}, {1, axis::wid_in_wg}}};
}  // namespace compositions

/// The rule that a composition breaks, if any.
AXE_FN constexpr refusal check(axis_composition const& c) {
  if (c.too_long || c.parts.size() < 2) return {rule::composition_needs_parts, {c.parts.size()}};
  for (int i = 0; i < c.parts.size(); ++i) {
    if (c.parts[i].on == c.whole) return {rule::composition_of_itself, {}, {c.whole}};
    if (c.parts[i].n < 1 ||
        (i > 0 && (c.parts[i - 1].n % c.parts[i].n != 0 || c.parts[i - 1].n == c.parts[i].n)))
      return {rule::composition_factors,
              {i > 0 ? c.parts[i - 1].n : c.parts[i].n, c.parts[i].n},
              {c.parts[i].on}};
  }
  if (c.parts.back().n != 1)
    return {rule::composition_lowest_factor, {c.parts.back().n}, {c.parts.back().on}};
  return {};
}

namespace detail {

AXE_FN constexpr bool names(layout const& l, axis a) {
  if (a == axis::null) return false;
  for (int k = 0; k < l.shards.count; ++k)
    if (l.shards.at[k].on == a) return true;
  for (iter const& r : l.replicas)
    if (r.on == a) return true;
  for (term const& t : l.offsets)
    if (t.on == a) return true;
  return false;
}

/// Parts into the whole: strides and offsets times the factor, every lower part within its range.
AXE_FN constexpr outcome<layout> join(layout const& l, axis_composition const& c) {
  for (int i = 1; i < c.parts.size(); ++i) {
    interval reach;
    plain_reach(l, c.parts[i].on, reach);
    integer const room = c.parts[i - 1].n / c.parts[i].n;
    if (reach.least < 0 || reach.largest >= room)
      return refusal{
          rule::part_leaves_its_range, {reach.least, reach.largest, room}, {c.parts[i].on, c.whole}};
  }
  layout joined = l;
  joined.blocks.clear();
  joined.offsets.clear();
  for (term const& part : c.parts) {
    for (iter& i : joined.shards)
      if (i.on == part.on) {
        if (!multiply(i.stride, part.n)) return refusal{rule::result_places_overflow, {}, {c.whole}};
        i.on = c.whole;
      }
    for (iter& r : joined.replicas)
      if (r.on == part.on) {
        if (!multiply(r.stride, part.n)) return refusal{rule::result_places_overflow, {}, {c.whole}};
        r.on = c.whole;
      }
  }
  integer o = 0;
  for (term const& t : l.offsets) {
    integer factor = 0;
    for (term const& part : c.parts)
      if (part.on == t.on) factor = part.n;
    if (factor == 0) joined.offsets.push(t);
    if (factor != 0 && !add_product(o, t.n, factor))
      return refusal{rule::result_places_overflow, {}, {c.whole}};
  }
  if (o != 0) joined.offsets.push({o, c.whole});
  order_offsets(joined);
  return try_canonicalize(joined);
}

/// Cuts an iter on the whole where its steps become multiples of `factor`: the high part stays, the low part gets the axis.
template <class List>
AXE_FN constexpr bool cut_iter(List& iters, int k, axis whole, axis low, integer factor) {
  iter const i = iters[k];
  if (i.on != whole || i.stride % factor == 0) return true;
  integer const turn = factor / greatest_common_divisor(factor, i.stride);
  if (i.extent % turn == 0 && i.extent > turn) {
    iters[k] = {i.extent / turn, i.stride * turn, whole};
    return iters.insert(k + 1, {turn, i.stride, low});
  }
  iters[k].on = low;
  return true;
}

/// Steps that are multiples of `factor` leave the lowest part; what is below must not carry out of [0, factor), wherever the offset puts it.
template <class Shards, class Replicas>
AXE_FN constexpr refusal split_lowest(Shards& shards, Replicas& replicas, integer& offset, axis whole,
                                      axis low, integer factor, integer& low_offset) {
  for (int k = 0; k < shards.size(); ++k)
    if (!cut_iter(shards, k, whole, low, factor)) return {rule::too_many_shards, {shards.size() + 1}};
  for (int k = 0; k < replicas.size(); ++k)
    if (!cut_iter(replicas, k, whole, low, factor)) return {rule::too_many_replicas, {replicas.size() + 1}};
  interval below;
  for (iter const& i : shards)
    if (i.on == low) extend(below, i);
  for (iter const& r : replicas)
    if (r.on == low) extend(below, r);
  integer turns = floor_divide(offset + below.least, factor);
  if (!multiply(turns, factor) || turns == smallest) return {rule::result_places_overflow, {}, {whole}};
  low_offset = offset;
  if (!add(low_offset, -turns)) return {rule::result_places_overflow, {}, {whole}};
  offset = turns;
  if (low_offset >= factor - below.largest) {
    integer reaches = below.largest;
    if (!add(reaches, low_offset)) reaches = largest;
    return {rule::part_carries, {low_offset + below.least, reaches, factor}, {low, whole}};
  }
  return {};
}

/// The whole into its parts, lowest first; of a canonical layout.
AXE_FN constexpr outcome<layout> split(layout const& l, axis_composition const& c) {
  list<iter, 64> shards;
  list<iter, 64> replicas;
  for (iter const& i : l.shards) shards.push(i);
  for (iter const& r : l.replicas) replicas.push(r);
  layout parted;
  for (term const& t : l.offsets)
    if (t.on != c.whole) parted.offsets.push(t);
  integer offset = l.offset(c.whole);
  auto const keep_offset = [&](integer n, axis a) { return n == 0 || parted.offsets.push({n, a}); };
  for (int p = c.parts.size() - 1; p > 0; --p) {
    integer low_offset = 0;
    if (refusal const bad =
            split_lowest(shards, replicas, offset, c.whole, c.parts[p].on, c.parts[p - 1].n, low_offset);
        bad)
      return bad;
    for (iter& i : shards)
      if (i.on == c.parts[p].on) i.stride /= c.parts[p].n;
    for (iter& r : replicas)
      if (r.on == c.parts[p].on) r.stride /= c.parts[p].n;
    if (!keep_offset(low_offset / c.parts[p].n, c.parts[p].on))
      return refusal{rule::too_many_offsets, {parted.offsets.size() + 1}};
  }
  term const top = c.parts[0];
  for (iter& i : shards)
    if (i.on == c.whole) i = {i.extent, i.stride / top.n, top.on};
  for (iter& r : replicas)
    if (r.on == c.whole) r = {r.extent, r.stride / top.n, top.on};
  if (!keep_offset(offset / top.n, top.on))
    return refusal{rule::too_many_offsets, {parted.offsets.size() + 1}};
  if (refusal const bad = fuse(shards, parted.shards)) return bad;
  for (iter const& r : replicas)
    if (!parted.replicas.push(r)) return refusal{rule::too_many_replicas, {replicas.size()}};
  return finished(parted);
}

/// rewrite of a canonical layout.
AXE_FN constexpr outcome<layout> rewrite_canonical(layout const& l, axis_composition const& c) {
  if (refusal const bad = check(c)) return bad;
  axis part = axis::null;
  for (term const& t : c.parts)
    if (names(l, t.on)) part = t.on;
  bool const whole_named = names(l, c.whole);
  if (whole_named && part != axis::null) return refusal{rule::names_whole_and_part, {}, {c.whole, part}};
  if (!whole_named && part == axis::null) return l;
  if (!l.swizzle.none()) {
    layout const plain = unswizzled(l);  // digits of other axes have no swizzle
    if (plain.swizzle.none()) return rewrite_canonical(plain, c);
    return refusal{rule::swizzled_is_not_rewritten, {}, {whole_named ? c.whole : part}};
  }
  return whole_named ? split(l, c) : join(l, c);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_rewrite(layout const& l, axis_composition const& c) {
  outcome<layout> const canonical = try_canonicalize(l);  // iters that move nothing name no axis
  return canonical ? detail::rewrite_canonical(canonical.value, c) : canonical;
}

AXE_FN constexpr layout rewrite(layout const& l, axis_composition const& c) {
  outcome<layout> const result = try_rewrite(l, c);
  detail::stop_on(result.why, "rewrite", {&l});
  return result.value;
}
AXE_LIFT(rewrite);

namespace detail {

/// A named rewriting in one direction: the other direction's layouts are refused, those that name neither side come back canonical.
AXE_FN constexpr outcome<layout> to_parts(layout const& l, axis_composition const& c) {
  outcome<layout> const canonical = try_canonicalize(l);
  return canonical && names(canonical.value, c.whole) ? rewrite_canonical(canonical.value, c) : canonical;
}
AXE_FN constexpr outcome<layout> to_whole(layout const& l, axis_composition const& c) {
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  for (term const& t : c.parts)
    if (names(canonical.value, t.on)) return rewrite_canonical(canonical.value, c);
  return canonical;
}

}  // namespace detail

/// tid into warp and lane.
AXE_FN constexpr outcome<layout> try_to_lane_warp(layout const& l) {
  constexpr axis_composition c = compositions::tid_of_warp_lane;
  return detail::to_parts(l, c);
}
/// tid into wg and tid_in_wg.
AXE_FN constexpr outcome<layout> try_to_wg(layout const& l) {
  constexpr axis_composition c = compositions::tid_of_wg;
  return detail::to_parts(l, c);
}
/// tid_in_wg into wid_in_wg and lane.
AXE_FN constexpr outcome<layout> try_to_wid_in_wg(layout const& l) {
  constexpr axis_composition c = compositions::tid_in_wg_of_lane;
  return detail::to_parts(l, c);
}
/// warp into wg and wid_in_wg.
AXE_FN constexpr outcome<layout> try_to_wg_wid_in_wg(layout const& l) {
  constexpr axis_composition c = compositions::warp_of_wg;
  return detail::to_parts(l, c);
}
/// wid_in_wg and lane into tid_in_wg.
AXE_FN constexpr outcome<layout> try_to_tid_in_wg(layout const& l) {
  constexpr axis_composition c = compositions::tid_in_wg_of_lane;
  return detail::to_whole(l, c);
}
/// wg and wid_in_wg into warp.
AXE_FN constexpr outcome<layout> try_to_warp(layout const& l) {
  constexpr axis_composition c = compositions::warp_of_wg;
  return detail::to_whole(l, c);
}
/// warp and lane, or wg and tid_in_wg, or wg, wid_in_wg and lane, into tid.
AXE_FN constexpr outcome<layout> try_to_tid(layout const& l) {
  outcome<layout> done = try_canonicalize(l);
  if (!done) return done;
  if (detail::names(*done, axis::wid_in_wg)) {
    done = detail::names(*done, axis::wg) ? try_to_warp(*done) : try_to_tid_in_wg(*done);
    if (!done) return done;
  }
  bool const by_warpgroup = detail::names(*done, axis::tid_in_wg) ||
                            (detail::names(*done, axis::wg) && !detail::names(*done, axis::lane));
  // Copies: nvcc lets device code read these constants, not refer to them.
  constexpr axis_composition of_warpgroups = compositions::tid_of_wg;
  constexpr axis_composition of_warps = compositions::tid_of_warp_lane;
  return detail::to_whole(*done, by_warpgroup ? of_warpgroups : of_warps);
}

AXE_FN constexpr layout to_lane_warp(layout const& l) {
  outcome<layout> const result = try_to_lane_warp(l);
  detail::stop_on(result.why, "to_lane_warp", {&l});
  return result.value;
}
AXE_LIFT(to_lane_warp);
AXE_FN constexpr layout to_wg(layout const& l) {
  outcome<layout> const result = try_to_wg(l);
  detail::stop_on(result.why, "to_wg", {&l});
  return result.value;
}
AXE_LIFT(to_wg);
AXE_FN constexpr layout to_wid_in_wg(layout const& l) {
  outcome<layout> const result = try_to_wid_in_wg(l);
  detail::stop_on(result.why, "to_wid_in_wg", {&l});
  return result.value;
}
AXE_LIFT(to_wid_in_wg);
AXE_FN constexpr layout to_wg_wid_in_wg(layout const& l) {
  outcome<layout> const result = try_to_wg_wid_in_wg(l);
  detail::stop_on(result.why, "to_wg_wid_in_wg", {&l});
  return result.value;
}
AXE_LIFT(to_wg_wid_in_wg);
AXE_FN constexpr layout to_tid_in_wg(layout const& l) {
  outcome<layout> const result = try_to_tid_in_wg(l);
  detail::stop_on(result.why, "to_tid_in_wg", {&l});
  return result.value;
}
AXE_LIFT(to_tid_in_wg);
AXE_FN constexpr layout to_warp(layout const& l) {
  outcome<layout> const result = try_to_warp(l);
  detail::stop_on(result.why, "to_warp", {&l});
  return result.value;
}
AXE_LIFT(to_warp);
AXE_FN constexpr layout to_tid(layout const& l) {
  outcome<layout> const result = try_to_tid(l);
  detail::stop_on(result.why, "to_tid", {&l});
  return result.value;
}
AXE_LIFT(to_tid);

}  // namespace axe::inline AXE_NAMESPACE
