// SPDX-License-Identifier: MIT
// right_inverse(L): the longest layout R that maps the places 0, 1, 2, … to elements, L(R(i)) = i.
//
//     right_inverse((4,8):(8,1))                    (8,4):(4,1)
#pragma once

#include <axe/cute/engine/as_plain.hpp>
#include <axe/engine/all_swizzles.hpp>
#include <axe/engine/element_search.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The longest list of L's digits in which each stride is the product of the extents before it. A
/// digit may be cut at another's stride.
struct run_search {
  element_search const& of;
  bool reversed;  // counts digits of negative stride from the end
  memory_digits best{};

  AXE_FN constexpr void extend(integer place, unsigned used, memory_digits const& so_far,
                               step_limit& steps) {
    if (!steps.take()) return;
    if (place > best.size) best = so_far;
    for (int k = 0; k < of.sorted.size(); ++k) {
      counted_digit const& d = of.sorted[k];
      if ((used >> k & 1) != 0 || d.stride != place || (d.weight < 0 && !reversed)) continue;
      for (int other = -1; other < of.sorted.size(); ++other) {
        integer extent = d.extent;
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
                                      bool reversed = false) {
  element_search const digits(l);
  run_search search{digits, reversed};
  search.extend(1, 0, {}, steps);
  return search.best;
}

/// Keeps the longest `g o digits` that maps each place from 0 on to its first element.
struct prefix_search {
  element_search elements;
  axe::swizzle f;
  step_limit* steps;
  integer held = 0;            // places 0 to held - 1 have elements
  list<integer, 256> known{};  // elements at the first places
  integer lookups = 0;
  outcome<axe::layout> best{};
  integer longest = 0;

  AXE_FN constexpr integer element(integer place) {
    return place < known.size() ? known[static_cast<int>(place)]
                                : elements.first_at(f.inverse(place), *steps);
  }
  /// Before the swizzle f, all places below `run` have elements. f permutes the places of each
  /// period.
  AXE_FN constexpr void count_held(integer size, integer run) {
    for (integer e = 0; held < size && !steps->spent(); ++held) {
      if (held == known.capacity) held = larger(held, run / f.period() * f.period());
      if (held == size) return;
      e = elements.first_at(f.inverse(held), *steps);
      if (e < 0) return;
      if (held < known.capacity) known.push(e);
    }
  }

  AXE_FN constexpr integer at(axe::swizzle g, integer place) {
    steps->taken += ++lookups % 4 == 0;  // a known element costs less than a step
    return g.inverse(element(place)) - g.inverse(known[0]);
  }
  /// Describes at(g, place) by digits. Returns the first place below n that fails, or n.
  AXE_FN constexpr integer describe(axe::swizzle g, integer n, memory_digits& digits) {
    digits = {};
    for (integer spacing = 1; spacing < n && !steps->spent(); spacing = digits.size) {
      integer const entries = ceil_divide(n, spacing);
      integer const step = at(g, spacing);
      integer run = 2;
      while (run < entries && at(g, run * spacing) == run * step) ++run;
      for (integer c = run; c < entries; ++c)
        if (at(g, c * spacing) != at(g, c / run * run * spacing) + c % run * step)
          return c * spacing;
      digits.add(smaller(run, larger(n / spacing, 1)), step);
      if (run >= entries) break;
    }
    return n;
  }

  AXE_FN constexpr integer describe(axe::swizzle g, memory_digits& digits) {
    for (integer window = known.capacity;; window *= 4) {
      integer const places = smaller(window, held);
      integer const n = describe(g, places, digits);
      if (n < places || n == held || steps->spent()) return n;
    }
  }

  AXE_FN constexpr bool tries(axe::swizzle g) {
    memory_digits digits;
    integer n = describe(g, digits);
    for (integer before = held; n < before && n > longest && !steps->spent();) {
      before = n;
      n = describe(g, n, digits);
    }
    return keep(digits.behind(g, g.inverse(known[0])), digits.size);
  }
  AXE_FN constexpr bool tries(axe::swizzle g, bit_prefix const& bits) {
    bit_prefix::listed const digits = bits.elements(g);
    steps->taken += 1 + ceil_log2(digits.size) / 4;
    return keep(digits.behind(g, digits.origin), digits.size);
  }

  /// True if the search ends.
  AXE_FN constexpr bool keep(outcome<axe::layout> const& found, integer size) {
    if (size > longest && !steps->spent()) {
      longest = size;
      best = found;
    }
    return longest == held || steps->spent();
  }
};

/// Place bit k is bit k of `origin` XOR the parity of the element bits in of_place[k].
struct bit_sums {
  bit_image const& image;
  integer origin;  // the place of element 0
  bit_word of_place[64]{};
  int place_bits = 0;
  bit_word moving = 0;  // element bits that change places

  AXE_FN constexpr explicit bit_sums(bit_image const& of) : image(of), origin(of.f(of.start)) {
    integer reached = origin;
    for (int j = 0; j < image.element_bits; ++j) {
      integer const change = image.f(image.change[j]);
      reached |= change;
      if (change != 0) moving |= bit(j);
      add(change, j, of_place);
    }
    while (reached >> place_bits != 0) ++place_bits;
  }
  AXE_FN static constexpr void add(integer change, int element_bit, bit_word* sums) {
    for (int b = 0; change >> b != 0; ++b)
      if ((change >> b & 1) != 0) sums[b] ^= bit(element_bit);
  }

  /// Element bits that equal no place bit. The inverse's swizzle must change them.
  AXE_FN constexpr bit_word hidden() const {
    bit_word seen = 0;
    for (int k = 0; k < place_bits; ++k)
      if ((of_place[k] & (of_place[k] - 1)) == 0) seen |= of_place[k];
    return moving & ~seen;
  }

  /// False if a bit of g.inverse(element) is not a place bit.
  AXE_FN constexpr bool invert_behind(axe::swizzle g, outcome<axe::layout>& result) const {
    bit_word wanted[64]{};  // by bit of g.inverse(element)
    int bits = 0;
    for (bit_word left = moving; left != 0; left &= left - 1) {
      int const j = lowest_bit(left);
      integer const change = g.inverse(integer{1} << j);
      while (change >> bits != 0) ++bits;
      add(change, j, wanted);
    }
    integer stride[64]{};
    integer start = 0;
    for (int b = 0, next = 0; b < bits; ++b) {
      if (wanted[b] == 0) continue;
      int k = of_place[next] == wanted[b] ? next : 0;  // prefers the bit that continues the digit
      while (k < place_bits && of_place[k] != wanted[b]) ++k;
      if (k == place_bits) return false;
      next = k + 1;
      bool const reversed = (origin >> k & 1) != 0;
      stride[k] += reversed ? -(integer{1} << b) : integer{1} << b;
      if (reversed) start += integer{1} << b;
    }
    memory_digits digits;
    for (int k = 0; k < place_bits; ++k) digits.add(2, stride[k]);
    result = digits.behind(g, start);
    return true;
  }
};

/// The left inverse under the first swizzle g for which each bit of g.inverse(element) is one place
/// bit: digits cannot XOR place bits. The period of g must divide `whole`.
AXE_FN constexpr bool invert_bits(bit_image const& image, axe::swizzle like,
                                  outcome<axe::layout>& result, integer whole = 0) {
  if (!image.exact) return false;
  bit_sums const sums(image);
  bit_word const hidden = sums.hidden();
  return any_swizzle(
      like, {}, highest_bit(sums.moving) + 1, false,
      [&](axe::swizzle const& g) {
        bit_word const changed = low_bits(g.B) << (g.M - smaller(g.S, 0));
        return whole % g.period() == 0 && (hidden & ~changed) == 0 && sums.invert_behind(g, result);
      },
      true);
}

/// Rounds the slowest extent up to a power of two. A left inverse of the result inverts L.
AXE_FN constexpr axe::layout slowest_rounded_up(axe::layout const& l) {
  axe::layout rounded = l;
  if (!l.shards.empty() && l.shards[0].extent < integer{1} << 60)
    rounded.shards[0].extent = integer{1} << ceil_log2(l.shards[0].extent);
  return axe::check(rounded) ? l : rounded;
}

/// Precondition: l is a result of as_plain.
AXE_FN constexpr outcome<axe::layout> find_right_inverse(axe::layout const& l, step_limit& steps) {
  prefix_search search{element_search(l), l.swizzle, &steps};
  bool const plain = l.swizzle.none();
  bool const from_zero = search.elements.least == 0;
  integer held = 0;
  if (l.offsets.empty() || (plain && from_zero)) {
    memory_digits const run = run_of(l, steps, from_zero);
    held = run.size;
    bool const final = plain && (from_zero || search.elements.first_at(held, steps) < 0);
    if (steps.spent()) return steps.refusal();
    if (plain) search.keep(run.behind({}, from_zero ? search.elements.origin : 0), held);
    if (final) return search.best;
  }
  bit_image const image(l);
  if (outcome<axe::layout> all; !image.exact && search.elements.fills(l.swizzle.block()) &&
                                invert_bits(bit_image(slowest_rounded_up(l)), l.swizzle, all) &&
                                all) {
    iter& last = all.value.shards[0];
    integer const spacing = size_of(*all) / last.extent;
    last.extent = search.elements.combinations() / spacing;
    if (last.extent * spacing == search.elements.combinations()) return all;
  }
  bit_prefix const bits(image);
  search.count_held(image.exact ? 1 : size_of(l), held);
  if (image.exact) search.held = bits.places();
  if (steps.spent()) return steps.refusal();
  if (search.held == 0) return refusal{rule::cute_nothing_at_zero};
  if (search.longest == 0) search.best = memory_digits{}.behind({}, search.known[0]);
  any_swizzle(
      l.swizzle, {}, ceil_log2(size_of(l)), false,
      [&](axe::swizzle const& g) { return image.exact ? search.tries(g, bits) : search.tries(g); },
      true);
  if (steps.spent()) return steps.refusal();
  return search.best;
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
