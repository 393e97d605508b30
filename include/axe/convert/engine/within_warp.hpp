// SPDX-License-Identifier: MIT
// The part of a register layout inside one warp, and the check that no element leaves its CTA.
//
//     S[(4,8,2,4,2):(1@warp,4@lane,2@reg,1@lane,1@reg)]
//     inside a warp S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]
//
// Rejects memory axes other than reg, the axes tid and tid_in_wg, lanes outside 0 to 31, and
// registers below 0 or beyond 255 words. S[8:1@gpuid] to S[8:1@reg] is rejected, because element 1
// is needed at 0@gpuid.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/convert/engine/warp_exchange.hpp>
#include <axe/map/elements.hpp>
#include <axe/plan/engine/digit_pairs.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr refusal check_registers(layout const& l, int width) {
  for (axis a : axes_of(l))
    if (!is_inside_warp(a) &&
        (kind_of(a) == kind::memory || a == axis::tid || a == axis::tid_in_wg))
      return {rule::not_on_registers, {}, {a}};
  if (refusal const bad = check_lanes(l)) return bad;
  interval const registers = reach_before_swizzle(l, axis::reg);
  if (registers.least < 0) return {rule::registers_below_zero, {registers.least}};
  if (registers.largest >= most_register_words * 32 / width)
    return {rule::too_many_registers, {registers.largest + 1, width, most_register_words}};
  return {};
}

AXE_LAZY_FN constexpr refusal check_conversion(layout const& from, layout const& to, int width,
                                               outcome<layout> (&sides)[2]) {
  sides[0] = try_canonicalize(from);
  if (!sides[0]) return sides[0].why;
  sides[1] = try_canonicalize(to);
  if (!sides[1]) return of_operand(1, sides[1].why);
  integer const size = product_of_extents(from.shards), other = product_of_extents(to.shards);
  if (size != other) return {rule::sizes_differ, {size, other}};
  for (outcome<layout> const& l : sides)
    if (refusal const bad = check_registers(*l, width)) return bad;
  return {};
}

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

struct compared_places {
  layout const &from, &to;
  axis on;
  sum_set held, wanted;  // distances of replicas from the first one

  AXE_FN constexpr compared_places(layout const& source, layout const& target, axis a)
      : from(source),
        to(target),
        on(a),
        held(sums_on(source.replicas, a)),
        wanted(sums_on(target.replicas, a)) {}
  /// A place that y has in `to` and x lacks in `from`, or sum_set::none. Any place if the steps are
  /// spent.
  AXE_FN constexpr integer missing(integer x, integer y, step_limit& steps) const {
    integer const first = place_on(to, y, on), shift = first - place_on(from, x, on);
    if (shift == 0 && same_iters(held, wanted)) return sum_set::none;
    for (integer v = wanted.least; v != sum_set::none; v = wanted.at_least(v + 1, steps))
      if (!steps.take() || !held.contains(v + shift, steps)) return first + v;
    return steps.spent() ? first : sum_set::none;
  }
  /// True if missing(0, 0) answers for all elements.
  AXE_FN constexpr bool same_digits() const {
    return digits_on(from, on, true) == digits_on(to, on, true);
  }
};

/// True only if each warp has in `from` all elements that it has in `to`.
AXE_LAZY_FN constexpr bool same_warps(layout const& from, layout const& to, step_limit steps) {
  axis_list axes = axes_of(from);
  note_axes(axes, to);
  for (axis on : axes) {
    compared_places const places(from, to, on);
    if (!is_inside_warp(on) &&
        (!places.same_digits() || places.missing(0, 0, steps) != sum_set::none))
      return false;
  }
  return true;
}

/// Returns the number of the first word before the shift.
AXE_LAZY_FN constexpr integer start_at_word_0(layout& l, int per_word) {
  integer const words = reach_before_swizzle(l, axis::reg).least / per_word;
  add_offset(l, term{-words * per_word, axis::reg});
  return words;
}

/// Removes the digits of D between the positions `low` and `high`.
AXE_LAZY_FN constexpr bool cut_out(layout& l, integer low, integer high) {
  digit_builder rest;
  if (!emit_between(l.shards, high, product_of_extents(l.shards), rest) ||
      !emit_between(l.shards, 1, low, rest))
    return false;
  return !rest.finish(l.shards);
}

/// Elements that differ only in digits without an axis are equal. Keeps the first of them.
AXE_LAZY_FN constexpr layout first_of_equal(layout l) {
  for (int k = l.shards.size() - 1; k >= 0; --k)
    if (l.shards[k].stride == 0) l.shards.erase(k);
  return l;
}

/// Keeps the first of equal elements of the source. The target's digits at these positions become
/// replicas. If they cannot be cut there, returns false and changes nothing.
AXE_LAZY_FN constexpr bool merge_equal(outcome<layout>& source, outcome<layout>& target) {
  layout to = *target;
  integer high = product_of_extents(to.shards);
  for (iter const& i : source->shards) {
    integer const low = high / i.extent;
    if (i.stride == 0 &&
        !(emit_between(to.shards, low, high, to.replicas) && cut_out(to, low, high)))
      return false;
    high = low;
  }
  outcome<layout> const merged = try_canonicalize(to);
  if (!merged) return false;
  target = merged;
  source = try_canonicalize(first_of_equal(*source));
  return true;
}

/// Rejects a register of `to` that holds elements without a common register in `from`. Both
/// layouts are canonical. `merged_to` is `to` after merge_equal.
AXE_LAZY_FN constexpr refusal check_unequal(layout const& from, layout const& to,
                                            valid_layout merged_to, step_limit steps) {
  refusal const shared = check_injective(merged_to, rule::registers_contested);
  if (!shared) return shared;
  layout const& merged = merged_to;
  integer const size = product_of_extents(merged.shards);
  for (integer k = 0; k < size; ++k)
    for (place const& at : placement_of(merged, (shared.numbers[0] + k) % size)) {
      if (!steps.take()) return steps.refusal();
      element_range const there({to, shape(product_of_extents(to.shards)), at});
      integer const first = (*there.begin()).index;
      for (element const& other : there) {
        if (!(placement_of(from, first).base == placement_of(from, other.index).base))
          return {rule::registers_contested, {first, other.index}};
      }
    }
  return {};
}

/// A digit on reg that both layouts share: the plan repeats its steps.
struct common_digit {
  integer extent = 1;
  integer source = 0, target = 0;  // in words
};

/// Removes a common digit from both layouts. Unless `any`, its extent is not a power of two.
AXE_LAZY_FN constexpr bool take_common(layout& source, layout& target, int per_word, bool any,
                                       common_digit& found) {
  element_digits const of_target = digits_on(target, axis::reg, true);
  for (auto const& [in_from, s] : digits_on(source, axis::reg, true))
    for (auto const& [in_to, t] : of_target) {
      integer const low = larger(s, t), high = smaller(s * in_from.extent, t * in_to.extent);
      if (in_from.stride <= 0 || in_to.stride <= 0 || high <= low || high % low != 0) continue;
      integer const extent = high / low, in_source = low / s * in_from.stride,
                    in_target = low / t * in_to.stride;
      bool const wanted = any || !is_power_of_two(extent);
      if (!wanted || in_source % per_word != 0 || in_target % per_word != 0) continue;
      layout rest_of_source = source, rest_of_target = target;
      if (!cut_out(rest_of_source, low, high) || !cut_out(rest_of_target, low, high)) continue;
      source = rest_of_source;
      target = rest_of_target;
      found = {extent, in_source / per_word, in_target / per_word};
      return true;
    }
  return false;
}

AXE_LAZY_FN constexpr bool is_outside_cta(axis a) {
  return kind_of(a) == kind::device || scope_of(a) == scope::cluster || scope_of(a) == scope::grid;
}

/// Clears `same_ctas` if the digits that count CTAs or devices differ. Precondition: canonical
/// layouts of the same size.
AXE_LAZY_FN constexpr refusal check_inside_cta(layout const& from, layout const& to,
                                               step_limit steps, bool& same_ctas) {
  axis_list axes = axes_of(from);
  if (!note_axes(axes, to)) return {rule::result_too_many_axes};
  for (axis a : axes) {
    if (!is_outside_cta(a)) continue;
    compared_places const places(from, to, a);
    bool const same = places.same_digits();
    same_ctas = same_ctas && same;
    integer const elements = same ? 1 : product_of_extents(from.shards);
    for (integer x = 0; x < elements; ++x) {
      integer const missing = places.missing(x, x, steps);
      if (!steps.take()) return steps.refusal();
      if (missing != sum_set::none) return {rule::conversion_leaves_the_cta, {x, missing}, {a}};
    }
  }
  return {};
}

/// Digits that count CTAs or devices become extents without an axis, because each CTA has shared
/// memory of its own.
AXE_LAZY_FN constexpr layout in_each_cta(layout l) {
  for (iter& i : l.shards)
    if (is_outside_cta(i.on)) i = {i.extent, 0, axis::null};
  return l;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
