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

/// A digit or a replica, and how many elements one step of it is.
struct element_digit {
  iter digit;
  integer step = 1;

  AXE_FN friend constexpr bool operator==(element_digit const&, element_digit const&) = default;
};

struct warp_split {
  layout inside;
  list<element_digit, capacity::shards> digits;
  list<iter, capacity::replicas> replicas;
  list<term, capacity::offsets> offsets;
};

/// Of a canonical layout.
AXE_LAZY_FN constexpr warp_split split_warps(layout const& l) {
  warp_split split;
  integer below = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    below /= i.extent;
    if (is_inside_warp(i.on))
      split.inside.shards.push(i);
    else
      split.digits.push({i, below});
  }
  for (iter const& r : l.replicas)
    (is_inside_warp(r.on) ? split.inside.replicas : split.replicas).push(r);
  for (term const& o : l.offsets)
    (is_inside_warp(o.on) ? split.inside.offsets : split.offsets).push(o);
  return split;
}

/// True if every warp of b holds a subset of what it holds in a. False if undecided.
AXE_LAZY_FN constexpr bool same_warps(warp_split const& a, warp_split const& b, layout const& of_a,
                                      layout const& of_b, step_limit steps) {
  if (!(a.digits == b.digits)) return false;
  if (a.replicas == b.replicas && a.offsets == b.offsets) return true;
  axis_list axes = axes_of(of_a);
  note_axes(axes, of_b);
  for (axis on : axes) {
    if (is_inside_warp(on)) continue;
    sum_set held = sums_on(a.replicas, on), wanted = sums_on(b.replicas, on);
    if (!add(held.least, of_a.offset(on)) || !add(wanted.least, of_b.offset(on))) return false;
    for (integer v = wanted.at_least(wanted.least, steps); v != sum_set::none;
         v = wanted.at_least(v + 1, steps))
      if (!steps.take() || !held.contains(v, steps) || !steps.take()) return false;
  }
  return true;
}

/// Moves a layout down to word 0; returns the number of words.
AXE_LAZY_FN constexpr integer start_at_word_0(layout& l, int sub) {
  interval reach;
  plain_reach(l, axis::reg, reach);
  integer const words = reach.least / sub, offset = l.offset(axis::reg) - words * sub;
  list<term, capacity::offsets> others;
  for (term const& o : l.offsets)
    if (!o.is_on(axis::reg)) others.push(o);
  if (offset != 0) others.push({offset, axis::reg});
  l.offsets = others;
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
