// left_inverse(L): from every place that L reaches back to its element, R(L(i)) = i. L's leaves of
// stride 0 do not count.
//
//     left_inverse((4,8):(8,1))            (8,4):(4,1)
//     left_inverse(4:2)                    (2,4):(0,1)          nothing lies at 1, 3, 5
//     left_inverse((2,2):(2,3))            (2,3):(1,1)          CuTe rejects it
//
// R's size is at least cosize(L). Closed forms decide strides that divide one another and powers of
// two; a search over boundaries decides the rest. Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/carry_free.hpp>
#include <axe/cute/complement.hpp>
#include <axe/cute/inverse_search.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Strides that divide one another: digits from stride to stride. False if they do not divide, or
/// if the least place has digits that carry.
AXE_FN constexpr bool nested_left_inverse(element_search const& elements, layout& result) {
  digit_list digits;
  integer begin = 1;
  integer weight = 0;
  integer extent = 1;
  for (counted_leaf const& d : elements.sorted) {
    integer const in_digit = elements.least % d.stride / begin;
    if (d.stride % begin != 0 || (in_digit + extent - 1) * begin >= d.stride) return false;
    digits.add(d.stride / begin, weight);
    begin = d.stride;
    weight = d.weight;
    extent = d.extent;
  }
  digits.add(extent + elements.least / begin, weight);
  result = digits.behind({}, 0);
  result.set_offset(elements.origin - place_of(result.map, elements.least));
  return true;
}

/// What digits and bits decide without a search: the left inverse, or that there is none. Else
/// undecided.
AXE_FN constexpr refusal shown_left_inverse(layout const& l, integer most, layout& result,
                                            step_limit& steps) {
  element_search const elements(of_leaves(coalesced(l), l.offset()));
  if (l.swizzle().none() && nested_left_inverse(elements, result)) return {};
  bit_image const image(l);
  if (!image.exact || l.swizzle().none()) {
    step_limit own = steps;
    outcome<layout> const right = find_right_inverse(l, own);
    if (right && size_of(*right) == elements.distinct()) {
      result = *right;
      return {};
    }
  }
  if (bits_back(bit_image(slowest_rounded_up(l)), l.swizzle(), result)) return {};
  bit_prefix const bits(image);
  if (!image.exact || bits.places() != elements.distinct()) return steps.refusal();
  // L reaches each place below a power of two once, so only the swizzle is left to choose.
  bool const found =
      each_swizzle(l.swizzle(), log2_of(elements.numbers()), [&](axe::swizzle const& g) {
        bit_prefix::digits const digits = bits.behind(g, true);
        steps.taken += 1 + log2_of(digits.size) / 4;
        result = digits.behind(g);
        return digits.size >= bits.places() || steps.taken > steps.allowed;
      });
  if (steps.taken > steps.allowed) return steps.refusal();
  return found ? refusal{} : refusal{rule::cute_no_left_inverse, {most}};
}

/// Stages of a buffer whole periods apart, and a buffer that begins at a multiple of half a period.
/// L's swizzle f keeps whole periods, f(a + n * period) = f(a) + n * period; half a period flips the
/// highest bit that an inner f writes. Digits of two that invert one stage invert all if the last
/// of them begins at a divisor of these distances. False if this shows no left inverse.
AXE_FN constexpr bool stages_back(layout const& l, layout& result) {
  axe::swizzle const f = l.swizzle();
  integer const period = f.period();
  leaf_list leaves = coalesced(l);
  leaf stages{1, 0};
  if (!leaves.empty() && leaves.back().stride > 0 && leaves.back().stride % period == 0) {
    stages = leaves.back();
    leaves.pop();
  }
  layout one = of_leaves(leaves, l.offset(), f);
  interval reached;
  if (!plain_reach(one.map, axis::m, reached) || reached.least < 0) return false;
  integer const unit = f.S > 0 ? period / 2 : period;
  integer const begin = reached.least / unit * unit;
  integer const turned = begin % period == 0 ? 0 : integer{1} << (f.M + f.B - 1);
  one.set_offset(one.offset() - begin);
  outcome<interval> const places = reach(one);
  bit_image image(slowest_rounded_up(one));
  image.start ^= static_cast<bit_word>(f.inverse(turned));
  integer const elements = stages.extent == 1 ? 0 : size_of(one);  // from stage to stage
  if ((stages.extent == 1 && begin == 0) || !places || !bits_back(image, f, result, elements))
    return false;
  digit_list digits;
  digits.leaves = coalesced(result);
  if (digits.leaves.empty()) digits.leaves.push({1, 0});
  leaf& last = digits.leaves.back();
  integer const grain = size_of(result) / last.extent;
  integer const stages_before = stages.extent == 1 ? 0 : begin / stages.stride;
  integer const begins = begin - stages_before * stages.stride;  // in its stage
  if (begins % grain != 0) return false;
  integer start = result.offset() - begins / grain * last.stride;
  last.extent += begins / grain;
  if (stages.extent > 1) {
    if (stages.stride % grain != 0 || begins + places->largest + turned >= stages.stride)
      return false;
    start -= stages_before * elements;
    last.extent = stages.stride / grain;
    digits.add(stages_before + stages.extent, elements);
  }
  result = digits.behind(result.swizzle(), start);
  return true;
}

/// The left inverse of a layout that passed as_plain, has no two elements at one place, and reaches
/// the places `least` to `most`.
AXE_FN constexpr refusal find_left_inverse(layout const& l, integer least, integer most,
                                           layout& result, step_limit& steps) {
  if (refusal const shown = shown_left_inverse(l, most, result, steps);
      shown.which != rule::undecided)
    return shown;
  if (stages_back(l, result) || (l.swizzle().none() && carry_free_inverse(l, result, steps)))
    return {};
  bit_image const image(l);
  inverse_search search(l, most);
  search.look(least, steps);
  bit_prefix const bits(image);
  prefix_search prefix{search.elements, l.swizzle(), &steps};
  integer const run = l.offset() == 0 ? size_of(run_of(l, steps)) : 0;
  integer const numbers = search.elements.numbers();
  if (!image.exact) prefix.look(numbers, run);
  auto const can_begin = [&](axe::swizzle const& g) {
    if (!image.exact) return prefix.held == 0 || prefix.longest_beginning(g) == prefix.held;
    return bits.behind(g, true).size >= bits.places();
  };
  if (steps.taken > steps.allowed || !search.find(log2_of(numbers), can_begin, steps))
    return steps.taken > steps.allowed || search.left_out
               ? steps.refusal()
               : refusal{rule::cute_no_left_inverse, {most}};
  result = search.found;
  return {};
}

}  // namespace detail

/// Refused: two elements at one place, a negative place, no such layout, out of steps.
AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_limit steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  layout const l = detail::as_plain(operand);
  outcome<detail::interval> const reached = detail::reach(l);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  if (refusal const bad = detail::two_at_one_place(l, detail::element_search(l), steps)) return bad;
  layout result;
  if (refusal const bad =
          detail::find_left_inverse(l, reached->least, reached->largest, result, steps))
    return bad;
  if (refusal const bad = check(result)) return bad;
  return result;
}
AXE_FN constexpr layout left_inverse(layout const& l, step_limit steps = {}) {
  return detail::value_of(try_left_inverse(l, steps), "left_inverse");
}
AXE_CUTE_CARRIER_FORM(left_inverse);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
