// The part of a register layout inside one warp, and whether two layouts put the same elements into
// the same warps.
//
//     S[(4,8,2,4,2):(1@warp,4@lane,2@reg,1@lane,1@reg)]
//     inside a warp S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]
//
// Refused: memory other than reg; thread axes that mix lanes and warps; lanes beyond 31; registers
// below 0 or beyond 255 words. Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/convert/holding.hpp>
#include <axe/map/coverage.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_register_words = 255;

AXE_LAZY_FN constexpr bool is_inside_warp(axis a) {
  return a == axis::lane || a == axis::reg || a == axis::null;
}

/// Rejects layouts that are not register layouts of elements of `width` bits.
AXE_LAZY_FN constexpr refusal check_registers(layout const& l, int width) {
  for (axis a : axes_of(l))
    if (!is_inside_warp(a) &&
        (kind_of(a) == kind::memory || a == axis::tid || a == axis::tid_in_wg))
      return {rule::not_on_registers, {}, {a}};
  interval lanes, registers;
  plain_reach(l, axis::lane, lanes);
  plain_reach(l, axis::reg, registers);
  if (lanes.least < 0 || lanes.largest >= warp_lanes)
    return {rule::lanes_outside_a_warp, {lanes.least, lanes.largest}};
  if (registers.least < 0) return {rule::registers_below_zero, {registers.least}};
  if (registers.largest >= most_register_words * 32 / width)
    return {rule::too_many_registers, {registers.largest + 1, width, most_register_words}};
  return {};
}

/// Rejects layouts in which two elements share a register of one lane, and names them.
AXE_LAZY_FN constexpr refusal check_contested(layout const& l) {
  outcome<bool> const apart = try_is_injective(l);
  if (!apart) return apart.why;
  if (*apart) return {};
  axis_list const axes = axes_of(l);
  if (axes.empty()) return {rule::registers_contested, {0, 1, 0, 0}};
  box whole;
  layout moved = l;  // to where it begins at 0 on every axis, as a box does
  moved.offsets.clear();
  for (axis a : axes) {
    interval reach;
    plain_reach(moved, a, reach);
    whole.axes.push({a, reach.largest - reach.least + 1});
    if (reach.least < 0 && !moved.offsets.push({-reach.least, a}))
      return {rule::too_many_offsets, {moved.offsets.size() + 1}};
  }
  outcome<coverage_answer> const shown = try_coverage(moved, whole);
  if (!shown) return shown.why;
  auto const place_on = [&](axis a) { return shown->at[a] - moved.offset(a) + l.offset(a); };
  return {rule::registers_contested,
          {shown->first, shown->second, place_on(axis::lane), place_on(axis::reg)}};
}

/// Rejects two layouts that are not registers of the same elements.
AXE_LAZY_FN constexpr refusal check_conversion(layout const& from, layout const& to, int width) {
  if (refusal const bad = check(from)) return bad;
  if (refusal const bad = check(to)) return of_operand(1, bad);
  integer const size = product_of_extents(from.shards), other = product_of_extents(to.shards);
  if (size != other) return {rule::sizes_differ, {size, other}};
  for (layout const* l : {&from, &to}) {
    if (refusal const bad = check_registers(*l, width)) return bad;
    if (refusal const bad = check_contested(*l)) return bad;
  }
  return {};
}

/// A digit or a replica, and how many elements one step of it is.
struct element_digit {
  iter digit;
  integer step = 1;

  AXE_FN friend constexpr bool operator==(element_digit const&, element_digit const&) = default;
};
using element_digits = list<element_digit, capacity::shards + capacity::replicas>;

/// The digits on an axis, or (`null`) outside of the warp, the largest step first. Replicas are
/// loaded by every lane that wants them, stored by one.
AXE_LAZY_FN constexpr element_digits digits_on(layout const& l, axis a, bool store) {
  element_digits sorted;
  auto const add = [&](element_digit const& d) {
    int at = 0;
    while (at < sorted.size() && magnitude(sorted[at].digit.stride) >= magnitude(d.digit.stride))
      ++at;
    sorted.insert(at, d);
  };
  integer below = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    below /= i.extent;
    if (a == axis::null ? !is_inside_warp(i.on) : i.is_on(a)) add({i, below});
  }
  for (iter const& r : l.replicas)
    if (r.is_on(a) && !store) add({r, 0});
  return sorted;
}

/// The part of a canonical layout on lane and reg.
AXE_LAZY_FN constexpr layout inside_warp(layout l) {
  auto const keep = [](auto& entries) {
    for (int k = entries.size() - 1; k >= 0; --k)
      if (!is_inside_warp(entries[k].on)) entries.erase(k);
  };
  keep(l.shards);
  keep(l.replicas);
  keep(l.offsets);
  return l;
}

/// The places of elements on one axis of a layout without swizzle: one for each of `replicas`, from
/// that of the first on.
struct places_on {
  layout const& of;
  axis on;
  sum_set replicas;

  AXE_FN constexpr places_on(layout const& l, axis a)
      : of(l), on(a), replicas(sums_on(l.replicas, a)) {}
  AXE_FN constexpr integer operator()(integer x) const {
    integer at = of.offset(on);
    for (int k = of.shards.size() - 1; k >= 0; --k) {
      iter const& i = of.shards[k];
      if (i.is_on(on)) at += x % i.extent * i.stride;
      x /= i.extent;
    }
    return at;
  }
};

/// The places of two canonical layouts of one size on one axis.
struct shared_places {
  places_on held, wanted;

  AXE_FN constexpr shared_places(layout const& from, layout const& to, axis a)
      : held(from, a), wanted(to, a) {}
  /// True if all places of element y in `to` are places of x in `from`. Else one that is not is
  /// `missing`, or the steps have run out.
  AXE_FN constexpr bool hold(integer x, integer y, step_limit& steps, integer& missing) const {
    integer const first = wanted(y), shift = first - held(x);
    if (shift == 0 && same_runs(held.replicas, wanted.replicas)) return true;
    for (integer v = wanted.replicas.least; v != sum_set::none;
         v = wanted.replicas.at_least(v + 1, steps)) {
      missing = first + v;
      if (!steps.take() || !held.replicas.contains(v + shift, steps)) return false;
    }
    return steps.taken <= steps.allowed;
  }
  /// True if both have the same digits: what holds for element 0 holds for all.
  AXE_FN constexpr bool same_digits() const {
    return digits_on(held.of, held.on, true) == digits_on(wanted.of, held.on, true);
  }
};

/// True if every warp of `to` holds a subset of what it holds in `from`. False if undecided.
AXE_LAZY_FN constexpr bool same_warps(layout const& from, layout const& to, step_limit steps) {
  axis_list axes = axes_of(from);
  note_axes(axes, to);
  for (axis on : axes) {
    shared_places const places(from, to, on);
    integer missing = 0;
    if (!is_inside_warp(on) && !(places.same_digits() && places.hold(0, 0, steps, missing)))
      return false;
  }
  return true;
}

/// Moves a layout down to word 0; returns the number of words.
AXE_LAZY_FN constexpr integer start_at_word_0(layout& l, int sub) {
  interval reach;
  plain_reach(l, axis::reg, reach);
  integer const words = reach.least / sub, offset = l.offset(axis::reg) - words * sub;
  for (int k = l.offsets.size() - 1; k >= 0; --k)
    if (l.offsets[k].is_on(axis::reg)) l.offsets.erase(k);
  if (offset != 0) l.offsets.push({offset, axis::reg});
  return words;
}

/// A digit on reg that both layouts have: the same elements, so many words further on in each.
struct common_digit {
  integer extent = 1;
  integer source = 0, target = 0;  // words
};

/// Removes a factor `extent` from an iter, above its lowest `within` values.
AXE_LAZY_FN constexpr bool cut_out(layout& l, int at, integer within, integer extent) {
  iter const i = l.shards[at];
  integer const above = i.extent / (within * extent);
  l.shards.erase(at);
  if (within > 1 && !l.shards.insert(at, {within, i.stride, i.on})) return false;
  return above == 1 || l.shards.insert(at, {above, i.stride * within * extent, i.on});
}

/// Finds a common digit of two canonical layouts of one size and removes it from both. `any`: also
/// powers of two.
AXE_LAZY_FN constexpr bool take_common(layout& f, layout& t, int sub, bool any,
                                       common_digit& found) {
  integer below_f = product_of_extents(f.shards);
  for (int i = 0; i < f.shards.size(); ++i) {
    iter const a = f.shards[i];
    below_f /= a.extent;
    integer below_t = product_of_extents(t.shards);
    for (int j = 0; j < t.shards.size(); ++j) {
      iter const b = t.shards[j];
      below_t /= b.extent;
      if (!a.is_on(axis::reg) || !b.is_on(axis::reg) || a.stride < 1 || b.stride < 1) continue;
      integer const low = larger(below_f, below_t),
                    high = smaller(below_f * a.extent, below_t * b.extent);
      if (high <= low || high % low != 0 || low % below_f != 0 || low % below_t != 0) continue;
      integer const extent = high / low, in_f = low / below_f, in_t = low / below_t;
      if (a.extent % (in_f * extent) != 0 || b.extent % (in_t * extent) != 0) continue;
      if (!any && (extent & (extent - 1)) == 0) continue;
      if (a.stride * in_f % sub != 0 || b.stride * in_t % sub != 0) continue;
      layout rest_f = f, rest_t = t;
      if (!cut_out(rest_f, i, in_f, extent) || !cut_out(rest_t, j, in_t, extent)) continue;
      f = rest_f;
      t = rest_t;
      found = {extent, a.stride * in_f / sub, b.stride * in_t / sub};
      return true;
    }
  }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
