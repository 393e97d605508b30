// SPDX-License-Identifier: MIT
// Checks that no element of a conversion leaves its CTA.
//
//     S[8:1@gpuid] to S[8:1@reg]                       rejected: element 1 is needed at 0@gpuid
#pragma once

#include <axe/algebra/broadcast.hpp>
#include <axe/convert/engine/within_warp.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr bool is_outside_cta(axis a) {
  return kind_of(a) == kind::device || scope_of(a) == scope::cluster || scope_of(a) == scope::grid;
}

/// Precondition: canonical layouts of the same size.
AXE_LAZY_FN constexpr refusal check_inside_cta(layout const& from, layout const& to,
                                               step_limit steps) {
  axis_list axes = axes_of(from);
  if (!note_axes(axes, to)) return {rule::result_too_many_axes};
  for (axis a : axes) {
    if (!is_outside_cta(a)) continue;
    compared_places const places(from, to, a);
    integer const elements = places.same_digits() ? 1 : product_of_extents(from.shards);
    for (integer x = 0; x < elements; ++x) {
      integer const missing = places.missing(x, x, steps);
      if (!steps.take()) return steps.refusal();
      if (missing != sum_set::none) return {rule::conversion_leaves_the_cta, {x, missing}, {a}};
    }
  }
  return {};
}

/// Both layouts without the digits that count CTAs or devices. Unchanged if these digits differ.
struct cta_part {
  layout from, to;
  list<element_digit, capacity::shards> digits;  // removed, slowest first

  AXE_FN constexpr cta_part(layout const& source, layout const& target)
      : from(source), to(target), digits(take_out(from)) {
    if (digits == take_out(to)) return;
    digits.clear();
    from = source;
    to = target;
  }
  AXE_FN static constexpr list<element_digit, capacity::shards> take_out(layout& l) {
    list<element_digit, capacity::shards> outside;
    integer below = product_of_extents(l.shards);
    for (int k = 0; k < l.shards.size();) {
      iter const i = l.shards[k];
      below /= i.extent;
      if (is_outside_cta(i.on)) {
        outside.push({i, below});
        l.shards.erase(k);
      } else {
        ++k;
      }
    }
    return outside;
  }
  AXE_LAZY_FN constexpr outcome<layout> extended_to_all_elements(layout place) const {
    integer size = product_of_extents(place.shards);
    for (int k = digits.size() - 1; k >= 0; --k) {
      outcome<layout> const wider =
          try_broadcast(place, shape{size / digits[k].element_step, digits[k].element_step}, 1,
                        digits[k].digit.extent);
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
