// left_inverse(L): from every place that L reaches back to its element: R(L(i)) = i for every i, L's leaves of stride 0 left aside.
//
//     left_inverse((4,8):(8,1))            (8,4):(4,1)
//     left_inverse(4:2)                    (2,4):(0,1)          nothing lies at 1, 3, 5
//     left_inverse((2,2):(2,3))            (2,3):(1,1)          {0, 2, 3, 5} to 0, 1, 2, 3
//     left_inverse((3,2):(0,1))            2:3                  L(R(L(i))) = L(i): copies have one element, the first
//     left_inverse((2,2):(1,1))            refused: the elements 1 and 2 are at the same place 1
//
//     left_inverse(Sw<0,0,1> o 8 o 4:1)    Sw<0,0,1> o -8 o 12:1
//     left_inverse(Sw<1,2,2> o 0 o (4,8):(8,1))         Sw<1,0,-2> o 0 o (8,4):(4,1)
//
// Where the strides divide one another: digits from stride to stride, what lies between them steps nowhere; an offset that carries into none of them is taken
// off. Elsewhere the layouts with boundaries d1 | d2 | … below cosize are searched, fewest digits first, each a system of linear equations for its strides; CuTe
// refuses those. A swizzled L that reaches every place below its size has its right inverse; of others, all layouts are searched, behind no swizzle or, where L
// has one, behind any that reads and writes bits of the elements, in binary digits first, which powers of two show by their bits. R's size is at least cosize(L).
// Tables of hundreds of places with gaps may need more steps than the default.
// Refused: two elements at one place, a negative place, no such layout, out of steps.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/bit_image.hpp>
#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>
#include <axe/cute/inverse_search.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe::inline AXE_NAMESPACE::cute {

namespace detail {

AXE_FN constexpr outcome<layout> search_left_inverse(weighted_list const& leaves, step_budget& steps) {
  integer most = 0;
  for (weighted_leaf const& w : leaves) most += (w.digit.extent - 1) * w.digit.stride;
  inverse_search search{leaves};
  int most_bounds = 0;
  for (integer n = most; n > 1; n /= 2) ++most_bounds;
  for (int more = 0; more <= most_bounds && more < search.bounds.capacity; ++more) {
    if (search.search(more, most, steps)) return of_leaves(search.found);
    if (steps.taken > steps.allowed) return steps.refusal();
  }
  return refusal{rule::cute_no_left_inverse, {most}};
}

/// Strides that divide one another: digits from stride to stride. False where they do not.
AXE_FN constexpr bool nested_left_inverse(weighted_list const& sorted, integer offset, leaf_list& done) {
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
    if ((in_digit + sorted[k].digit.extent - 1) * sorted[k].digit.stride >= sorted[k + 1].digit.stride)
      return false;
  }
  return sorted.empty() || sorted[0].digit.stride > 0;
}

/// The left inverse with digits of two, behind the first swizzle g that has one. Bits of places, and of elements before g, are sums mod 2 of bits of the
/// element; seen as signs, different sums are independent over the integers. So the bits of a place add up to the element iff each of its sums is one of theirs,
/// which then has its stride, against it where the place of element 0 has the bit.
AXE_FN constexpr bool bits_back(bit_image const& image, axe::swizzle like, layout& result) {
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
    if ((others & ~(low_bits(g.B) << (g.M - smaller(g.S, 0)))) != 0) return false;
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
    for (int b = 0; b < bits; ++b) {
      if (wanted[b] == 0) continue;
      int k = 0;
      while (k < place_bits && sum_of[k] != wanted[b]) ++k;
      if (k == place_bits) return false;
      bool const turned = (origin >> k & 1) != 0;
      stride[k] += turned ? -(integer{1} << b) : integer{1} << b;
      if (turned) start += integer{1} << b;
    }
    leaf_list digits;
    bool too_many = false;
    for (int k = 0; k < place_bits; ++k)
      if (!add_coalesced(digits, {2, stride[k]})) too_many = true;
    result = of_leaves(digits);
    if (too_many) result.flaw = flaw::too_large;
    result.swizzle = g;
    result.offset = start;
    return true;
  });
}

/// The layout whose last digit goes on to a power of two.
AXE_FN constexpr layout slowest_rounded_up(layout l) {
  int k = l.leaves.size() - 1;
  while (k > 0 && l.leaves[k].extent == 1) --k;
  if (k >= 0 && l.leaves[k].extent < integer{1} << 60)
    l.leaves[k].extent = integer{1} << log2_of(l.leaves[k].extent);
  return l;
}

/// Of a layout behind a swizzle or an offset, its places `least` to `most`.
AXE_FN constexpr outcome<layout> left_inverse_behind(layout const& l, integer least, integer most,
                                                     step_budget steps) {
  weighted_list const sorted = by_stride_with_weights(coalesced(l.leaves));
  layout result;
  if (leaf_list done;
      l.swizzle.none() && keeps_digits(sorted, l.offset) && nested_left_inverse(sorted, l.offset, done)) {
    result = of_leaves(done);
    result.offset = -plain_at(done, l.offset);
  } else {
    integer distinct = 1;
    for (weighted_leaf const& w : sorted) distinct *= w.digit.extent;
    bit_image const image(l);
    if (outcome<layout> const right = image.exact ? right_by_digits(l, steps) : try_right_inverse(l, steps);
        right && !right->leaves.empty() && size_of(*right) == distinct)
      return right;
    bit_image const rounded(image.exact ? l : slowest_rounded_up(l));  // what inverts it inverts l
    if (rounded.exact && bits_back(rounded, l.swizzle, result))
      return check(result).which == rule::none ? outcome<layout>(result) : outcome<layout>(check(result));
    refined_search search(sorted, l, most);
    search.bits_add_up = !image.exact;
    search.look(least, steps);
    integer size = 1;
    for (weighted_leaf const& w : sorted) size = larger(size, w.weight * w.digit.extent);
    bit_prefix const bits(image);
    prefix_search prefix{element_search(l.leaves, l.offset), l.swizzle, &steps};
    integer run = 0;
    if (outcome<layout> const found = run_of(l.leaves, steps); found && l.offset == 0) run = size_of(*found);
    if (!image.exact) prefix.look(size, run);
    auto const can_begin = [&](axe::swizzle const& g) {
      if (!image.exact) return prefix.held == 0 || prefix.longest_beginning(g) == prefix.held;
      bit_prefix::digits const found = bits.behind(g);
      return found.goes_on || found.bits == bits.change.size();
    };
    if (steps.taken > steps.allowed || !search.find(log2_of(size), can_begin, steps))
      return steps.taken > steps.allowed ? steps.refusal() : refusal{rule::cute_no_left_inverse, {most}};
    result = of_leaves(search.found);
    result.swizzle = search.g;
    result.offset = search.start;
  }
  if (refusal const bad = check(result); bad.which != rule::none) return bad;
  return result;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_left_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand); bad.which != rule::none) return bad;
  layout const l = detail::as_plain(operand);
  outcome<detail::interval> const reached = detail::reach(l);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  if (refusal bad = detail::two_at_one_place(l.leaves, steps); bad.which != rule::none) {
    if (bad.which == rule::cute_two_elements) bad.numbers[2] = detail::value_at(l, bad.numbers[0]);
    return bad;
  }
  if (!l.plain()) return detail::left_inverse_behind(l, reached->least, reached->largest, steps);
  detail::weighted_list const sorted = detail::by_stride_with_weights(detail::coalesced(l.leaves));
  leaf_list done;
  if (!detail::nested_left_inverse(sorted, 0, done)) return detail::search_left_inverse(sorted, steps);
  layout result = detail::of_leaves(done);
  if (refusal const bad = check(result); bad.which != rule::none) return bad;
  return result;
}

AXE_FN constexpr layout left_inverse(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_left_inverse(l, steps);
  detail::stop_on(result.why, "left_inverse", {});
  return *result;
}
AXE_CUTE_LIFT(left_inverse);

}  // namespace axe::inline AXE_NAMESPACE::cute
