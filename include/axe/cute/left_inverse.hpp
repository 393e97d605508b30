// SPDX-License-Identifier: MIT
// left_inverse(L): the layout R with R(L(i)) = i. If L has leaves of stride 0, R maps each place to
// the first of its elements. Rejects strides that do not divide one another.
//
//     left_inverse(4:2)                    (2,4):(0,1)
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/engine/behind_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// `digits` become those of the map from places before the swizzle to elements. The places
/// between two digits extend the faster one or, with `split`, form a digit of stride 0. False if
/// strides do not divide one another, or if adding the least place carries.
AXE_FN constexpr bool divide_strides(element_search const& elements, bool split,
                                     memory_digits& digits) {
  counted_digit before{1, 1, 0, 0};
  for (counted_digit const& d : elements.sorted) {
    integer const extent = d.stride / before.stride;
    integer const least = elements.least % d.stride / before.stride;
    if (d.stride % before.stride != 0 || least + before.extent > extent) return false;
    bool const splits = split && least == 0 && extent % before.extent == 0;
    digits.add(splits ? before.extent : extent, before.weight);
    if (splits) digits.add(extent / before.extent, 0);
    before = d;
  }
  digits.add(before.extent + elements.least / before.stride, before.weight);
  return true;
}

/// Precondition: l is canonical, without two elements at one place. The largest place is `most`.
AXE_FN constexpr outcome<axe::layout> find_left_inverse(axe::layout const& l, integer most,
                                                        step_limit& steps) {
  refusal const bad{rule::cute_no_left_inverse, {most}};
  axe::swizzle const f = l.swizzle;
  element_search const held(l);
  memory_digits digits;
  if (!divide_strides(held, !f.none(), digits)) return bad;
  integer const start = held.origin - sum_of_digits(digits.digits, held.least);
  outcome<axe::layout> result = digits.behind({}, start);
  if (f.none() || !result) return result;
  integer const period = f.period();
  if (held.least % period != 0) return bad;
  behind_swizzle elements(digits, start, f);
  iter_list above;
  for (counted_digit const& d : held.sorted) {
    integer const below = larger(1, period / d.stride);
    if (d.extent > below) above.push({ceil_divide(d.extent, below), d.weight * below, axis::m});
  }
  int const place_bits = ceil_log2(larger(most, held.largest_minus_least()) + 1);
  int const bits = static_cast<int>(smaller(elements.period_bits(), place_bits));
  iter_list over_periods;
  if (elements.find_low(elements.period_bits(), bits) && elements.find_above(over_periods) &&
      elements.join(over_periods, above, held.origin - elements.low_start, result, steps))
    return result;
  return steps.spent() ? steps.refusal() : bad;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_limit steps = {}) {
  using namespace detail;
  if (refusal const bad = check(operand)) return bad;
  axe::layout const l = as_plain(operand);
  outcome<interval> const reached = reach_from_zero(l);
  if (reached.why) return reached.why;
  if (refusal const bad = two_at_one_place(l, element_search(l), steps)) return bad;
  outcome<axe::layout> const found = find_left_inverse(l, reached->largest, steps);
  if (found || operand.swizzle().none()) return flat_result(found);
  return flat_result(find_left_inverse(canonical_map(operand), reached->largest, steps));
}
AXE_FN constexpr layout left_inverse(layout const& operand) {
  return detail::stop_on(try_left_inverse(operand), "left_inverse");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
