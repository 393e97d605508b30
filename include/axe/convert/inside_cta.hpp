// Checks that every element of a conversion stays in its CTA: neither shuffles nor shared memory
// leave it.
//
//     S[8:1@gpuid] to S[8:1@reg]                        refused: element 1 is wanted at 0@gpuid
//     S[8:1@reg] + R[8:1@gpuid] to S[8:1@gpuid]         stays: each device holds all eight
//
// On each axis, all places of an element in the target must be places that it has in the source.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/broadcast.hpp>
#include <axe/convert/within_warp.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// True if the places of an axis are different CTAs or devices.
AXE_LAZY_FN constexpr bool is_outside_cta(axis a) {
  return kind_of(a) == kind::device || scope_of(a) == scope::cluster || scope_of(a) == scope::grid;
}

/// The places of elements on one axis of a layout without swizzle.
struct places_on {
  layout const& of;
  axis on;
  integer copies = 1;

  AXE_FN constexpr places_on(layout const& l, axis a) : of(l), on(a) {
    for (iter const& r : l.replicas)
      if (r.is_on(a) && !multiply(copies, r.extent)) copies = largest;
  }
  AXE_FN constexpr integer operator()(integer x, integer copy) const {
    integer at = of.offset(on);
    for (int k = of.shards.size() - 1; k >= 0; --k) {
      iter const& i = of.shards[k];
      if (i.is_on(on)) at += x % i.extent * i.stride;
      x /= i.extent;
    }
    for (iter const& r : of.replicas) {
      if (!r.is_on(on)) continue;
      at += copy % r.extent * r.stride;
      copy /= r.extent;
    }
    return at;
  }
};

/// The digits and replicas of a layout on one axis.
struct said_on {
  list<element_digit, capacity::shards> digits, copies;

  AXE_FN constexpr said_on(warp_split const& of, axis a) {
    for (element_digit const& d : of.digits)
      if (d.digit.is_on(a)) digits.push(d);
    for (iter const& r : of.replicas)
      if (r.is_on(a)) copies.push({r, 0});
  }
};

/// Of canonical layouts of one size.
AXE_LAZY_FN constexpr refusal check_inside_cta(layout const& from, layout const& to,
                                               step_limit steps) {
  axis_list axes = axes_of(from);
  if (!note_axes(axes, to)) return {rule::result_too_many_axes};
  warp_split const f = split_warps(from), t = split_warps(to);
  for (axis a : axes) {
    if (!is_outside_cta(a)) continue;
    said_on const of_f(f, a), of_t(t, a);
    bool const same_digits = of_f.digits == of_t.digits;
    if (same_digits && of_f.copies == of_t.copies && from.offset(a) == to.offset(a)) continue;
    places_on const held(from, a), wanted(to, a);
    integer const elements = same_digits ? 1 : product_of_extents(from.shards);
    for (integer x = 0; x < elements; ++x)
      for (integer j = 0; j < wanted.copies; ++j) {
        integer i = 0;
        while (i < held.copies && held(x, i) != wanted(x, j)) {
          ++i;
          if (!steps.take()) return steps.refusal();
        }
        if (i == held.copies) return {rule::conversion_leaves_the_cta, {x, wanted(x, j)}, {a}};
        if (!steps.take()) return steps.refusal();
      }
  }
  return {};
}

/// The parts of two layouts inside one CTA, if both have the same digits outside of it.
struct cta_part {
  layout from, to;
  list<element_digit, capacity::shards> digits;  // that were taken out, slowest first

  AXE_FN constexpr cta_part(layout const& source, layout const& target) : from(source), to(target) {
    list<element_digit, capacity::shards> of_target;
    for (element_digit const& d : split_warps(source).digits)
      if (is_outside_cta(d.digit.on)) digits.push(d);
    for (element_digit const& d : split_warps(target).digits)
      if (is_outside_cta(d.digit.on)) of_target.push(d);
    if (!(digits == of_target)) digits.clear();
    if (digits.empty()) return;
    layout* const both[] = {&from, &to};
    for (layout* l : both)
      for (int k = l->shards.size() - 1; k >= 0; --k)
        if (is_outside_cta(l->shards[k].on)) l->shards.erase(k);
  }
  /// The shared-memory layout of the part as one of all elements.
  AXE_LAZY_FN constexpr outcome<layout> of_all(layout place) const {
    integer size = product_of_extents(place.shards);
    for (int k = digits.size() - 1; k >= 0; --k) {
      outcome<layout> const wider = try_broadcast(
          place, shape{size / digits[k].step, digits[k].step}, 1, digits[k].digit.extent);
      if (!wider) return wider;
      place = *wider;
      size *= digits[k].digit.extent;
    }
    return try_canonicalize(place);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
