// left_inverse(L): from every place that L reaches back to its element: R(L(i)) = i for every i,
// L's leaves of stride 0 left aside.
//
//     left_inverse((4,8):(8,1))            (8,4):(4,1)
//     left_inverse(4:2)                    (2,4):(0,1)          nothing lies at 1, 3, 5
//     left_inverse((2,2):(2,3))            (2,3):(1,1)          {0, 2, 3, 5} to 0, 1, 2, 3
//     left_inverse((3,2):(0,1))            2:3                  L(R(L(i))) = L(i): copies have one element, the first
//     left_inverse((2,2):(1,1))            refused: the elements 1 and 2 are at the same place 1
//
//     left_inverse(Sw<0,0,1> o 8 o 4:1)    Sw<0,0,1> o -8 o 12:1
//     left_inverse(Sw<1,2,2> o 0 o (4,8):(8,1))                 Sw<1,1,-3> o 0 o (8,4):(4,1)
//     left_inverse(Sw<3,3,3> o 4608 o (64,64,5):(64,1,4608))    Sw<3,0,-9> o -4096 o (64,72,6):(64,1,4096)
//
// Where the strides divide one another: digits from stride to stride, what lies between them steps
// nowhere; an offset that carries into none of them is taken off. Elsewhere boundaries d1 | d2 | …
// below cosize are looked for, and the strides that solve linear equations; CuTe refuses those.
// Without a swizzle those that no digits carry over come first: one equation a leaf, at any size.
// Then all, with one equation an element. Behind a swizzle R is behind none, or behind any that
// reads and writes bits of the elements. What bits show goes before the others: a right inverse of
// all elements, digits of two where extents are powers of two, whole periods of the swizzle between
// the stages of a buffer. Where L reaches each place below a power of two once, bits also show that
// there is none. R's size is at least cosize(L).
// Other tables of hundreds of places may need more steps than the default, wide strides as
// (6,6,8):(8566153,12351655,11369973) more than there are.
// Refused: two elements at one place, a negative place, no such layout, out of steps.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/bit_image.hpp>
#include <axe/cute/carry_free.hpp>
#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>
#include <axe/cute/inverse_search.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Strides that divide one another: digits from stride to stride. False where they do not.
AXE_FN constexpr bool nested_left_inverse(weighted_list const& sorted, integer offset,
                                          leaf_list& done) {
  integer begin = 1;
  integer weight = 0;
  for (weighted_leaf const& w : sorted) {
    if (w.digit.stride % begin != 0) return false;
    add_coalesced(done, {w.digit.stride / begin, weight});
    begin = w.digit.stride;
    weight = w.weight;
  }
  integer const extent = sorted.empty() ? 1 : sorted.back().digit.extent;
  add_coalesced(done, {extent + offset / begin, weight});
  return true;
}

/// Does no digit of the offset carry when the layout's are added?
AXE_FN constexpr bool keeps_digits(weighted_list const& sorted, integer offset) {
  for (int k = 0; k + 1 < sorted.size(); ++k) {
    integer const in_digit = offset % sorted[k + 1].digit.stride / sorted[k].digit.stride;
    if ((in_digit + sorted[k].digit.extent - 1) * sorted[k].digit.stride >=
        sorted[k + 1].digit.stride)
      return false;
  }
  return sorted.empty() || sorted[0].digit.stride > 0;
}

/// The left inverse with digits of two, behind the first swizzle g that has one and that multiples
/// of `whole` pass by. Bits of places, and of elements before g, are sums mod 2 of bits of the
/// element; seen as signs, different sums are independent over the integers. So the bits of a place
/// add up to the element iff each of its sums is one of theirs, which then has its stride, against
/// it where the place of element 0 has the bit.
AXE_FN constexpr bool bits_back(bit_image const& image, axe::swizzle like, layout& result,
                                integer whole = 0) {
  bit_word sum_of[64]{};  // for each bit of a place
  integer const origin = static_cast<integer>(image.swizzled(image.start));
  integer most = origin;
  int moving = 0;
  for (int j = 0; j < image.bits; ++j) {
    bit_word const one = image.swizzled(image.change[j]);
    most |= static_cast<integer>(one);
    if (one != 0) moving = j + 1;
    for (bit_word left = one; left != 0; left &= left - 1) sum_of[lowest_bit(left)] ^= bit(j);
  }
  int const place_bits = highest_bit(static_cast<bit_word>(most)) + 1;
  bit_word alone = 0;  // bits of the element that are sums of their own
  for (int k = 0; k < place_bits; ++k)
    if ((sum_of[k] & (sum_of[k] - 1)) == 0) alone |= sum_of[k];
  bit_word others = 0;  // … and those that g has to change
  for (int j = 0; j < moving; ++j)
    if (image.change[j] != 0) others |= bit(j) & ~alone;
  return each_swizzle(like, moving, [&](axe::swizzle const& g) {
    if (whole % g.period() != 0 || (others & ~(low_bits(g.B) << (g.M - smaller(g.S, 0)))) != 0)
      return false;
    bit_word wanted[64]{};
    int bits = 0;
    for (int j = 0; j < moving; ++j) {
      if (image.change[j] == 0) continue;
      bit_word const one = static_cast<bit_word>(g.inverse(integer{1} << j));
      bits = static_cast<int>(larger(bits, highest_bit(one) + 1));
      for (bit_word left = one; left != 0; left &= left - 1) wanted[lowest_bit(left)] ^= bit(j);
    }
    integer stride[64]{};
    integer start = 0;
    for (int b = 0, next = 0; b < bits; ++b) {
      if (wanted[b] == 0) continue;
      int k = sum_of[next] == wanted[b] ? next : 0;  // which continues the digit, if it has the sum
      while (k < place_bits && sum_of[k] != wanted[b]) ++k;
      if (k == place_bits) return false;
      next = k + 1;
      bool const turned = (origin >> k & 1) != 0;
      stride[k] += turned ? -(integer{1} << b) : integer{1} << b;
      if (turned) start += integer{1} << b;
    }
    leaf_list digits;
    bool too_many = false;
    for (int k = 0; k < place_bits; ++k)
      if (!add_coalesced(digits, {2, stride[k]})) too_many = true;
    result = layout_behind(g, start, digits, too_many);
    return true;
  });
}

/// The left inverse of a layout that reaches each place below a power of two once, behind the first
/// swizzle that has one: nothing is left to choose but digits.
AXE_FN constexpr bool prefix_back(bit_prefix const& bits, axe::swizzle like, int element_bits,
                                  layout& result, step_budget& steps) {
  return each_swizzle(like, element_bits,
                      [&](axe::swizzle const& g) {
                        bit_prefix::digits const found = bits.behind(g, true);
                        steps.taken += 1 + log2_of(found.size) / 4;
                        result = layout_behind(g, found.origin, found.leaves, found.too_many);
                        return found.size >= bits.places() || steps.taken > steps.allowed;
                      }) &&
         steps.taken <= steps.allowed;
}

/// The layout whose last digit goes on to a power of two.
AXE_FN constexpr layout slowest_rounded_up(layout l) {
  int k = l.leaves.size() - 1;
  while (k > 0 && l.leaves[k].extent == 1) --k;
  if (k >= 0 && l.leaves[k].extent < integer{1} << 60)
    l.leaves[k].extent = integer{1} << log2_of(l.leaves[k].extent);
  return l;
}

/// What digits and bits show without a search, of a checked layout that has no two elements at one
/// place and reaches no place behind `most`: its left inverse, or that it has none. Else undecided.
AXE_FN constexpr refusal shown_left_inverse(layout const& l, integer most, layout& result,
                                            step_budget& steps) {
  weighted_list const sorted = by_stride_with_weights(coalesced(l.leaves));
  if (leaf_list done; l.swizzle.none() && keeps_digits(sorted, l.offset) &&
                      nested_left_inverse(sorted, l.offset, done)) {
    result = of_leaves(done);
    result.offset = -plain_at(done, l.offset);
    return {};
  }
  bit_image const image(l);
  integer distinct = 1;
  for (weighted_leaf const& w : sorted) distinct *= w.digit.extent;
  if (outcome<layout> const right =
          image.exact ? right_by_digits(l, steps) : try_right_inverse(l, steps);
      right && !right->leaves.empty() && size_of(*right) == distinct) {
    result = *right;
    return {};
  }
  // What inverts the rounded layout inverts l; as few digits as it has, so that how it was written
  // is no matter.
  bit_image const rounded(
      image.exact ? l : slowest_rounded_up(wrapped_as(of_leaves(coalesced(l.leaves)), l)));
  if (rounded.exact && bits_back(rounded, l.swizzle, result)) return {};
  if (!image.exact) return steps.refusal();
  bit_prefix const bits(image);
  if (bits.places() != distinct) return steps.refusal();
  if (prefix_back(bits, l.swizzle, log2_of(elements_of(sorted)), result, steps)) return {};
  return steps.taken > steps.allowed ? steps.refusal()
                                     : refusal{rule::cute_no_left_inverse, {most}};
}

/// Where a buffer begins, and its stages: L's swizzle f passes by whole periods, f(a + n * period)
/// = f(a) + n * period. Half a period turns the highest bit that an inner f reads, and so the
/// highest that it writes. Digits of two that go back from one stage go back from all where the
/// last of them begins at a divisor of these distances. False where this shows no left inverse.
AXE_FN constexpr bool stages_back(layout const& l, layout& result) {
  integer const period = l.swizzle.period();
  leaf_list leaves = coalesced(l.leaves);
  leaf stages{1, 0};
  if (!leaves.empty() && leaves.back().stride > 0 && leaves.back().stride % period == 0) {
    stages = leaves.back();
    leaves.pop();
  }
  layout one = layout_behind(l.swizzle, l.offset, leaves, false);
  interval reached;
  if (!plain_reach(one, reached) || reached.least < 0) return false;
  integer const unit = l.swizzle.S > 0 ? period / 2 : period;
  integer const begin = reached.least / unit * unit;
  integer const turned = begin % period == 0 ? 0 : integer{1} << (l.swizzle.M + l.swizzle.B - 1);
  one.offset -= begin;
  outcome<interval> const places = reach(one);
  bit_image image(slowest_rounded_up(one));
  image.start ^= static_cast<bit_word>(l.swizzle.inverse(turned));
  integer const elements = stages.extent == 1 ? 0 : size_of(one);  // from stage to stage
  if ((stages.extent == 1 && begin == 0) || !places || !image.exact ||
      !bits_back(image, l.swizzle, result, elements))
    return false;
  leaf_list digits = coalesced(result.leaves);
  if (digits.empty()) digits.push({1, 0});
  integer const grain = size_of(result) / digits.back().extent;
  integer const stages_before = stages.extent == 1 ? 0 : begin / stages.stride;
  integer const begins = begin - stages_before * stages.stride;  // in its stage
  if (begins % grain != 0) return false;
  integer start = result.offset - begins / grain * digits.back().stride;
  digits.back().extent += begins / grain;
  bool too_many = false;
  if (stages.extent > 1) {
    if (stages.stride % grain != 0 || begins + places->largest + turned >= stages.stride)
      return false;
    start -= stages_before * elements;
    digits.back().extent = stages.stride / grain;
    too_many = !add_coalesced(digits, {stages_before + stages.extent, elements});
  }
  result = layout_behind(result.swizzle, start, digits, too_many);
  return true;
}

/// The left inverse of a checked layout that has no two elements at one place, its places `least`
/// to `most`.
AXE_FN constexpr refusal find_left_inverse(layout const& l, integer least, integer most,
                                           layout& result, step_budget& steps) {
  if (refusal const shown = shown_left_inverse(l, most, result, steps);
      shown.which != rule::undecided)
    return shown;
  if (stages_back(l, result) || (l.swizzle.none() && carry_free_inverse(l, result, steps)))
    return {};
  weighted_list const sorted = by_stride_with_weights(coalesced(l.leaves));
  bit_image const image(l);
  inverse_search search(sorted, l, most);
  search.look(least, steps);
  bit_prefix const bits(image);
  prefix_search prefix{element_search(l.leaves, l.offset), l.swizzle, &steps};
  integer run = 0;
  if (outcome<layout> const found = run_of(l.leaves, steps); found && l.offset == 0)
    run = size_of(*found);
  integer const elements = elements_of(sorted);
  if (!image.exact) prefix.look(elements, run);
  auto const can_begin = [&](axe::swizzle const& g) {
    if (!image.exact) return prefix.held == 0 || prefix.longest_beginning(g) == prefix.held;
    return bits.behind(g, true).size >= bits.places();
  };
  if (steps.taken > steps.allowed || !search.find(log2_of(elements), can_begin, steps))
    return steps.taken > steps.allowed || search.left_out
               ? steps.refusal()
               : refusal{rule::cute_no_left_inverse, {most}};
  result = search.found;
  return {};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  layout const l = detail::as_plain(operand);
  outcome<detail::interval> const reached = detail::reach(l);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  if (refusal bad = detail::two_at_one_place(l.leaves, steps)) {
    if (bad.which == rule::cute_two_elements) bad.numbers[2] = detail::value_at(l, bad.numbers[0]);
    return bad;
  }
  layout result;
  if (refusal const bad =
          detail::find_left_inverse(l, reached->least, reached->largest, result, steps))
    return bad;
  if (refusal const bad = check(result)) return bad;
  return result;
}

AXE_FN constexpr layout left_inverse(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_left_inverse(l, steps);
  if (!result) detail::stop_on(result.why, "left_inverse", {});
  return *result;
}
AXE_CUTE_LIFT(left_inverse);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
