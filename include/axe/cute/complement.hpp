// SPDX-License-Identifier: MIT
// complement(L, n): the layout R of the offsets at which L is repeated to fill n places. No place
// is used twice, and the last repetition may exceed n. complement(L) uses the span of L as n.
//
//     complement(4:2, 24)                  (2,3):(1,8)
//
// The offset and the signs of strides do not change R.
#pragma once

#include <axe/cute/coalesce.hpp>
#include <axe/cute/engine/as_plain.hpp>
#include <axe/engine/collision.hpp>
#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Ignores leaves of stride 0.
AXE_FN constexpr refusal two_at_one_place(axe::layout const& l, element_search const& elements,
                                          step_limit& steps) {
  collision search{elements};
  if (!search.find(steps)) return steps.spent() ? steps.refusal() : refusal{};
  auto const [one, other] = search.found();
  return {rule::cute_two_elements, {smaller(one, other), larger(one, other), address_at(l, one)}};
}

/// The first element that the swizzle moves to a place that was empty, or -1. At the step limit,
/// any element or -1.
AXE_FN constexpr integer moved_elsewhere(axe::layout const& l, element_search& elements,
                                         step_limit& steps) {
  if (elements.fills(l.swizzle.block())) return -1;
  for (integer i = 0, size = size_of(l); i < size; ++i)
    if (elements.first_at(address_at(l, i), steps) < 0 || steps.spent()) return i;
  return -1;
}

/// 1 + the index of the last digit that overlaps digits of smaller strides, or 0.
AXE_FN constexpr int overlapping_digits(element_search const& elements) {
  int overlapping = 0;
  integer block = 1;
  for (int k = 0; k < elements.sorted.size(); ++k) {
    counted_digit const& d = elements.sorted[k];
    bool const overlaps = d.stride < block;
    if (overlaps) overlapping = k + 1;
    block = overlaps ? d.reach() + 1 : d.stride;
    if (!overlaps) multiply(block, d.extent);  // overflows at the last digit only
  }
  return overlapping;
}

/// The complement in n places, with at least `wanted` elements. Precondition: l is a result of
/// as_plain.
AXE_FN constexpr outcome<layout> complement_of(axe::layout const& l, integer n, integer wanted,
                                               step_limit steps) {
  element_search elements(l);
  if (!l.swizzle.none()) {
    integer const i = moved_elsewhere(l, elements, steps);
    if (steps.spent()) return steps.refusal();
    if (i >= 0) {
      integer const to = address_at(l, i);
      return refusal{rule::cute_swizzle_adds_places, {i, l.swizzle.inverse(to), to}};
    }
  }
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  int const overlapping = overlapping_digits(elements);
  memory_digits done;
  integer filled_places = 1;
  if (overlapping > 0) {
    if (refusal const bad = two_at_one_place(l, elements, steps)) return bad;
    filled_places = elements.sorted[overlapping - 1].reach() + 1;
  }
  for (int k = overlapping; k < elements.sorted.size(); ++k) {
    done.add(elements.sorted[k].stride / filled_places, filled_places);
    filled_places = elements.sorted[k].stride;
    if (!multiply(filled_places, elements.sorted[k].extent)) return refusal{rule::cute_overflows};
  }
  integer const repeated = larger(ceil_divide(n, filled_places), ceil_divide(wanted, done.size));
  done.add(larger(repeated, 1), filled_places);
  return flat_result(done.behind({}, 0));
}

}  // namespace detail

/// Rejects a swizzle that does not permute L's places.
AXE_FN constexpr outcome<layout> try_complement(layout const& l, int_tuple const& shape,
                                                step_limit steps = {}) {
  integer n = shape.nodes.value(0);
  if (!shape.is_integer()) {
    outcome<layout> const whole = try_make_layout(shape);
    if (!whole) return whole;
    n = detail::size_of(*whole);
  }
  if (refusal const bad = check(l)) return bad;
  return detail::complement_of(detail::as_plain(l), n, 1, steps);
}
AXE_FN constexpr layout complement(layout const& l, int_tuple const& shape) {
  return detail::stop_on(try_complement(l, shape), "complement");
}

AXE_FN constexpr outcome<layout> try_complement(layout const& l, step_limit steps = {}) {
  if (refusal const bad = check(l)) return bad;
  axe::layout const plain = detail::as_plain(l);
  return detail::complement_of(plain, detail::element_search(plain).largest_minus_least() + 1, 1,
                               steps);
}
AXE_FN constexpr layout complement(layout const& l) {
  return detail::stop_on(try_complement(l), "complement");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
