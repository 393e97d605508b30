// SPDX-License-Identifier: MIT
// right_inverse(L): a layout R that maps the places 0, 1, 2, … to elements, L(R(i)) = i. Without a
// swizzle R is the longest one if no place has two elements. With a swizzle R may be shorter.
//
//     right_inverse((4,8):(8,1))                    (8,4):(4,1)
#pragma once

#include <axe/cute/engine/behind_swizzle.hpp>
#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The digits that map the places 0, 1, 2, … before the swizzle to elements minus `element`, which
/// is at place 0.
AXE_FN constexpr memory_digits run_of(axe::layout const& l, integer element = 0) {
  list<counted_digit, capacity::shards> digits;
  integer weight = 1;
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    iter const& d = l.shards[k];
    integer const value = element / weight % d.extent;
    if (d.stride > 0) digits.push({d.extent - value, d.stride, weight});
    if (d.stride < 0) digits.push({value + 1, -d.stride, -weight});
    weight *= d.extent;
  }
  memory_digits run;
  for (bool ends = false; !ends;) {
    counted_digit next;
    for (counted_digit const& d : digits)
      if (d.stride == run.size && d.extent > next.extent) next = d;
    // If no digit begins where this one ends, cuts it where a longer one begins.
    integer const end = run.size * next.extent;
    bool continues = false;
    for (counted_digit const& d : digits) continues = continues || d.stride == end;
    integer cut = end;
    for (counted_digit const& d : digits)
      if (!continues && d.stride > run.size && d.stride < cut && d.stride % run.size == 0 &&
          d.extent > end / d.stride)
        cut = d.stride;
    ends = cut == run.size;
    run.add(cut / run.size, next.weight);
  }
  return run;
}

/// The digits that begin at powers of two or at multiples of the period.
AXE_FN constexpr memory_digits aligned_digits(memory_digits const& run, integer period) {
  memory_digits aligned;
  for (int k = run.digits.size() - 1; k >= 0; --k) {
    if (!is_power_of_two(aligned.size) && aligned.size % period != 0) break;
    aligned.add(run.digits[k].extent, run.digits[k].stride);
  }
  return aligned;
}

/// Cuts the slowest digit, so that R has at most n places and f permutes them.
AXE_FN constexpr axe::layout cut_to(axe::layout r, integer n, axe::swizzle f) {
  if (size_of(r) <= n) return r;
  iter& last = r.shards[0];
  integer const spacing = size_of(r) / last.extent;
  last.extent = n / spacing;
  while (spacing * last.extent % f.block() != 0) --last.extent;
  r.shards = canonical_shards(r.shards);
  return r;
}

/// Precondition: l is a result of as_plain.
AXE_FN constexpr outcome<axe::layout> find_right_inverse(axe::layout const& l, step_limit& steps) {
  integer const first = l.offsets.empty() ? 0 : element_search(l).first_at(0, steps);
  if (steps.spent()) return steps.refusal();
  if (first < 0) return refusal{rule::cute_nothing_at_zero};
  axe::swizzle const f = l.swizzle;
  memory_digits run = run_of(l, first);
  integer const unmoved = f.none() ? run.size : integer{1} << (f.M + larger(f.S, 0));
  outcome<axe::layout> const short_one = first_digits(run, unmoved).behind({}, first);
  run = aligned_digits(run, f.period());
  if (run.size <= unmoved) return short_one;
  behind_swizzle elements(run, first, f);
  // If f permutes the places in blocks, the inverse of more places can be cut.
  bool const can_be_cut = run.size >= f.block();
  int const run_bits =
      can_be_cut ? ceil_log2(run.size) : highest_bit(static_cast<bit_word>(run.size));
  int const known = static_cast<int>(smaller(elements.period_bits(), run_bits));
  int bits = known;
  while (integer{1} << bits > unmoved && !elements.find_low(known, bits)) --bits;
  if (integer{1} << bits <= unmoved) return short_one;
  outcome<axe::layout> result;
  iter_list above;
  if (bits < elements.period_bits() || !elements.find_above(above)) above.clear();
  while (!elements.join(above, above, first - elements.low_start, result, steps)) {
    if (steps.spent()) return steps.refusal();
    if (above.empty()) return short_one;
    above.erase(0);
  }
  axe::layout const cut = cut_to(*result, run.size, f);
  return size_of(cut) > unmoved ? cut : short_one;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_right_inverse(layout const& operand, step_limit steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  return detail::flat_result(detail::find_right_inverse(detail::as_plain(operand), steps));
}
AXE_FN constexpr layout right_inverse(layout const& operand) {
  return detail::stop_on(try_right_inverse(operand), "right_inverse");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
