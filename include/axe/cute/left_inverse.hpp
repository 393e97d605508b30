// SPDX-License-Identifier: MIT
// left_inverse(L): the layout R with R(L(i)) = i. If L has leaves of stride 0, R maps each place to
// the first of its elements.
//
//     left_inverse(4:2)                    (2,4):(0,1)
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/right_inverse.hpp>
#include <axe/engine/fit_carry_free.hpp>
#include <axe/engine/fit_places.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// False if strides do not divide one another, or if adding the least place carries from one digit
/// to the next.
AXE_FN constexpr bool nested_left_inverse(element_search const& elements,
                                          outcome<axe::layout>& result) {
  memory_digits digits;
  integer begin = 1;
  integer weight = 0;
  integer extent = 1;
  for (counted_digit const& d : elements.sorted) {
    integer const in_digit = elements.least % d.stride / begin;
    if (d.stride % begin != 0 || (in_digit + extent - 1) * begin >= d.stride) return false;
    digits.add(d.stride / begin, weight);
    begin = d.stride;
    weight = d.weight;
    extent = d.extent;
  }
  digits.add(extent + elements.least / begin, weight);
  result = digits.behind({}, 0);
  set_offset(result.value, elements.origin - place_of(result.value, elements.least));
  return true;
}

/// Inverts a swizzled buffer with stages whole periods apart, or one stage that begins at a
/// multiple of half a period. For S > 0, adding half a period flips the highest bit that f changes.
/// `spacing` counts the places per step of the slowest digit in the first stage's inverse. This
/// inverse extends to all stages if `spacing` divides `stages.stride` and `begin_in_stage`.
AXE_FN constexpr bool invert_stages(axe::layout const& l, outcome<axe::layout>& result) {
  axe::swizzle const f = l.swizzle;
  integer const period = f.period();
  axe::layout first = l;
  iter stages{1, 0, axis::null};
  if (!l.shards.empty() && l.shards[0].stride > 0 && l.shards[0].stride % period == 0) {
    stages = l.shards[0];
    first.shards.erase(0);
  }
  interval const reached = reach_before_swizzle(first, axis::m);
  if (reached.least < 0) return false;
  integer const unit = f.S > 0 ? period / 2 : period;
  integer const begin = reached.least / unit * unit;
  integer const turned = begin % period == 0 ? 0 : integer{1} << (f.M + f.B - 1);
  set_offset(first, first.offset(axis::m) - begin);
  outcome<interval> const places = reach(first);
  bit_image image(slowest_rounded_up(first));
  image.start ^= f.inverse(turned);  // f flips the place bit `turned`
  bool const one_stage = stages.extent == 1;
  integer const elements = one_stage ? 0 : size_of(first);
  if ((one_stage && begin == 0) || !places || !invert_bits(image, f, result, elements) || !result)
    return false;
  memory_digits digits;
  digits.digits = result->shards;
  if (digits.digits.empty()) digits.digits.push({1, 0, axis::null});
  iter& last = digits.digits[0];
  integer const spacing = size_of(*result) / last.extent;
  integer const stages_before = one_stage ? 0 : begin / stages.stride;
  integer const begin_in_stage = begin - stages_before * stages.stride;
  if (begin_in_stage % spacing != 0) return false;
  integer start = result->offset(axis::m) - begin_in_stage / spacing * last.stride;
  last.extent += begin_in_stage / spacing;
  if (!one_stage) {
    if (stages.stride % spacing != 0 || begin_in_stage + places->largest + turned >= stages.stride)
      return false;
    start -= stages_before * elements;
    last.extent = stages.stride / spacing;
    digits.add(stages_before + stages.extent, elements);
  }
  result = digits.behind(result->swizzle, start);
  return true;
}

/// Precondition: l is a result of as_plain without two elements at one place.
AXE_FN constexpr outcome<axe::layout> find_left_inverse(axe::layout const& l, integer most,
                                                        step_limit& steps) {
  outcome<axe::layout> result;
  element_search const elements(l);
  if (l.swizzle.none() && nested_left_inverse(elements, result)) return result;
  bit_image const image(l);
  if (most + 1 == elements.combinations() && (!image.exact || l.swizzle.none())) {
    step_limit own = steps;  // without empty places, both inverses are equal
    outcome<axe::layout> const right = find_right_inverse(l, own);
    if (right && size_of(*right) == elements.combinations()) return right;
  }
  if (invert_bits(bit_image(slowest_rounded_up(l)), l.swizzle, result)) return result;
  bit_prefix const bits(image);
  if (invert_stages(l, result) || (l.swizzle.none() && fit_carry_free(l, result.value, steps)))
    return result;
  place_search search(l, most);
  search.list_known(steps);
  prefix_search prefix{elements, l.swizzle, &steps};
  integer const run = l.offsets.empty() ? run_of(l, steps).size : 0;
  if (!image.exact) prefix.count_held(elements.element_bound(), run);
  auto const can_begin = [&](axe::swizzle const& g) {
    memory_digits digits;
    if (!image.exact) return prefix.held == 0 || prefix.describe(g, digits) == prefix.held;
    return bits.elements(g, true).size >= bits.places();
  };
  if (!steps.spent() && search.find(ceil_log2(elements.element_bound()), can_begin, steps))
    return search.found;
  return steps.spent() || search.left_out ? steps.refusal()
                                          : refusal{rule::cute_no_left_inverse, {most}};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_limit steps = {}) {
  using namespace detail;
  if (refusal const bad = check(operand)) return bad;
  axe::layout const l = as_plain(operand);
  outcome<interval> const reached = reach_from_zero(l);
  if (reached.why) return reached.why;
  if (refusal const bad = two_at_one_place(l, element_search(l), steps)) return bad;
  return flat_result(find_left_inverse(l, reached->largest, steps));
}
AXE_FN constexpr layout left_inverse(layout const& operand) {
  return detail::stop_on(try_left_inverse(operand), "left_inverse");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
