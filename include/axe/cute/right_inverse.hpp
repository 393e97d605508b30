// SPDX-License-Identifier: MIT
// right_inverse(L): the longest layout R that maps places 0, 1, 2, … to elements: L(R(i)) = i.
//
//     right_inverse((4,8):(8,1))                    (8,4):(4,1)
//     right_inverse(Sw<1,1,2> o 0 o (4,8):(8,1))    Sw<1,0,-3> o 0 o (8,4):(4,1)
//
// A bit matrix gives the inverse of a swizzled L if its extents and strides are powers of two,
// otherwise a table of the elements at the places does. Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/as_plain.hpp>
#include <axe/cute/carrier.hpp>
#include <axe/engine/all_swizzles.hpp>
#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Finds the longest list of L's digits in which each stride is the product of the extents before
/// it. A digit may be cut at the stride of another one.
struct run_search {
  element_search const& of;
  bool turned;  // count digits of negative stride from their other end
  memory_digits best{};

  AXE_FN constexpr void extend(integer place, unsigned used, memory_digits const& so_far,
                               step_limit& steps) {
    if (!steps.take()) return;
    if (place > best.size) best = so_far;
    for (int k = 0; k < of.sorted.size(); ++k) {
      counted_digit const& d = of.sorted[k];
      if ((used >> k & 1) != 0 || d.stride != place || (d.weight < 0 && !turned)) continue;
      for (int other = -1; other < of.sorted.size(); ++other) {
        integer extent = d.extent;  // the whole digit, or cut at the stride of `other`
        if (other >= 0) {
          integer const at = of.sorted[other].stride;
          if (other == k || (used >> other & 1) != 0 || at <= place || at % place != 0 ||
              at / place >= extent)
            continue;
          extent = at / place;
        }
        memory_digits longer = so_far;
        longer.add(extent, d.weight);
        extend(place * extent, used | 1u << k, longer, steps);
      }
    }
  }
};

AXE_FN constexpr memory_digits run_of(axe::layout const& l, step_limit& steps,
                                      bool turned = false) {
  element_search const digits(l);
  run_search search{digits, turned};
  search.extend(1, 0, {}, steps);
  return search.best;
}

/// Tries swizzles g, and keeps the layout `g o digits` that maps the longest run of places 0, 1, 2,
/// … to the first element at each.
struct prefix_search {
  element_search elements;
  axe::swizzle f;
  step_limit* steps;
  integer held = 0;            // places 0 to held - 1 have elements
  list<integer, 256> known{};  // the elements at the first of these places
  integer asked = 0;
  outcome<axe::layout> best{};
  integer longest = 0;

  AXE_FN constexpr bool spent() const { return steps->taken > steps->allowed; }
  AXE_FN constexpr integer element(integer place) {
    return place < known.size() ? known[static_cast<int>(place)]
                                : elements.first_at(f.inverse(place), *steps);
  }
  /// Counts `held` up to `size`. Without the swizzle f all addresses below `run` have elements. f
  /// permutes each whole period, so with f the whole periods below `run` have elements, too.
  AXE_FN constexpr void look(integer size, integer run) {
    for (integer e = 0; held < size && !spent(); ++held) {
      if (held == known.capacity) held = larger(held, run / f.period() * f.period());
      if (held == size) return;
      e = elements.first_at(f.inverse(held), *steps);
      if (e < 0) return;
      if (held < known.capacity) known.push(e);
    }
  }

  /// The element at a place minus the element at place 0, both with g undone.
  AXE_FN constexpr integer at(axe::swizzle g, integer place) {
    steps->taken += ++asked % 4 == 0;  // a known element costs less than a step
    return g.inverse(element(place)) - g.inverse(known[0]);
  }
  /// Finds digits for the first n places with g undone. Returns the first place that they do not
  /// describe, or n.
  AXE_FN constexpr integer begins(axe::swizzle g, integer n, memory_digits& digits) {
    digits = {};
    for (integer grain = 1; grain < n && !spent(); grain = digits.size) {
      integer const entries = ceil_divide(n, grain);
      integer const step = at(g, grain);
      integer run = 2;
      while (run < entries && at(g, run * grain) == run * step) ++run;
      for (integer c = run; c < entries; ++c)
        if (at(g, c * grain) != at(g, c / run * run * grain) + c % run * step) return c * grain;
      digits.add(smaller(run, larger(n / grain, 1)), step);
      if (run >= entries) break;
    }
    return n;
  }

  /// Like `begins` above, for all places below `held`. Windows grow: most swizzles fail early.
  AXE_FN constexpr integer begins(axe::swizzle g, memory_digits& digits) {
    for (integer window = known.capacity;; window *= 4) {
      integer const asked_for = smaller(window, held);
      integer const n = begins(g, asked_for, digits);
      if (n < asked_for || n == held || spent()) return n;
    }
  }

  AXE_FN constexpr bool tries(axe::swizzle g) {
    memory_digits digits;
    integer n = begins(g, digits);
    for (integer before = held; n < before && n > longest && !spent();) {
      before = n;
      n = begins(g, n, digits);
    }
    return takes(digits.behind(g, g.inverse(known[0])), digits.size);
  }
  AXE_FN constexpr bool tries(axe::swizzle g, bit_prefix const& bits) {
    bit_prefix::listed const digits = bits.elements(g);
    steps->taken += 1 + log2_of(digits.size) / 4;
    return takes(digits.behind(g, digits.origin), digits.size);
  }

  AXE_FN constexpr bool takes(outcome<axe::layout> const& found, integer size) {
    if (size > longest && !spent()) {
      longest = size;
      best = found;
    }
    return longest == held || spent();
  }
};

/// The left inverse with digits of extent 2 and the first possible swizzle g whose period divides
/// `whole`. Each bit of a place, and of g.inverse(element), is an XOR of element bits. Integer
/// combinations of different XORs are never another XOR, so the inverse exists if and only if each
/// XOR of g.inverse(element) is that of a place bit. This place bit's stride is the weight of the
/// bit of g.inverse(element), negated if the place of element 0 has the bit.
AXE_FN constexpr bool bits_back(bit_image const& image, axe::swizzle like,
                                outcome<axe::layout>& result, integer whole = 0) {
  if (!image.exact) return false;
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
  bit_word alone = 0;  // element bits that equal a bit of the place
  for (int k = 0; k < place_bits; ++k)
    if ((sum_of[k] & (sum_of[k] - 1)) == 0) alone |= sum_of[k];
  bit_word others = 0;  // the other element bits, which g must change
  for (int j = 0; j < moving; ++j)
    if (image.change[j] != 0) others |= bit(j) & ~alone;
  return any_swizzle(
      like, {}, moving, false,
      [&](axe::swizzle const& g) {
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
          int k = sum_of[next] == wanted[b] ? next : 0;  // prefer the bit that continues the digit
          while (k < place_bits && sum_of[k] != wanted[b]) ++k;
          if (k == place_bits) return false;
          next = k + 1;
          bool const turned = (origin >> k & 1) != 0;
          stride[k] += turned ? -(integer{1} << b) : integer{1} << b;
          if (turned) start += integer{1} << b;
        }
        memory_digits digits;
        for (int k = 0; k < place_bits; ++k) digits.add(2, stride[k]);
        result = digits.behind(g, start);
        return true;
      },
      true);
}

/// L with its slowest extent rounded up to a power of two. An inverse of the result inverts L too.
AXE_FN constexpr axe::layout slowest_rounded_up(axe::layout l) {
  if (!l.shards.empty() && l.shards[0].extent < integer{1} << 60)
    l.shards[0].extent = integer{1} << log2_of(l.shards[0].extent);
  return l;
}

/// L is a result of as_plain.
AXE_FN constexpr outcome<axe::layout> find_right_inverse(axe::layout const& l, step_limit& steps) {
  prefix_search search{element_search(l), l.swizzle, &steps};
  bool const plain = l.swizzle.none();
  bool const from_zero = search.elements.least == 0;
  integer held = 0;
  if (l.offsets.empty() || (plain && from_zero)) {
    memory_digits const run = run_of(l, steps, from_zero);
    held = run.size;
    bool const final = plain && (from_zero || search.elements.first_at(held, steps) < 0);
    if (search.spent()) return steps.refusal();
    if (plain) search.takes(run.behind({}, from_zero ? search.elements.origin : 0), held);
    if (final) return search.best;
  }
  bit_image const image(l);
  if (outcome<axe::layout> all; !image.exact && search.elements.fills(l.swizzle.period()) &&
                                bits_back(bit_image(slowest_rounded_up(l)), l.swizzle, all) &&
                                all) {
    iter& last = all.value.shards[0];  // the slowest digit, to be cut to the places of l
    integer const grain = size_of(*all) / last.extent;
    last.extent = search.elements.distinct() / grain;
    if (last.extent * grain == search.elements.distinct()) return all;
  }
  bit_prefix const bits(image);
  search.look(image.exact ? 1 : size_of(l), held);
  if (image.exact) search.held = bits.places();
  if (search.spent()) return steps.refusal();
  if (search.held == 0) return refusal{rule::cute_nothing_at_zero};
  if (search.longest == 0) search.best = memory_digits{}.behind({}, search.known[0]);
  any_swizzle(
      l.swizzle, {}, log2_of(size_of(l)), false,
      [&](axe::swizzle const& g) { return image.exact ? search.tries(g, bits) : search.tries(g); },
      true);
  if (search.spent()) return steps.refusal();
  return search.best;
}

AXE_FN constexpr outcome<layout> flat_result(outcome<axe::layout> const& map) {
  if (map.why) return map.why;
  layout const l = flat(*map);
  if (refusal const bad = check(l)) return bad;
  return l;
}

}  // namespace detail

/// Rejects layouts without an element at place 0. Undecided at the step limit.
AXE_FN constexpr outcome<layout> try_right_inverse(layout const& operand, step_limit steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  return detail::flat_result(detail::find_right_inverse(detail::as_plain(operand), steps));
}
AXE_FN constexpr layout right_inverse(layout const& operand, step_limit steps = {}) {
  auto const result = try_right_inverse(operand, steps);
  detail::stop_on(result.why, "right_inverse");
  return result.value;
}
AXE_CUTE_CARRIER_FORM(right_inverse);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
