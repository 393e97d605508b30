// SPDX-License-Identifier: MIT
// place_search: a layout G that maps each place of L to its element. The search chooses boundaries
// 1 | b0 | b1 | … between the digits of G. Each place then gives one equation for the strides of G.
//
//     places 0 2 3 5, elements 0 1 2 3     boundaries 1 | 2, G = S[(3,2):(1,1)]
//
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/engine/all_swizzles.hpp>
#include <axe/engine/element_search.hpp>
#include <axe/engine/integer_solutions.hpp>
#include <axe/engine/place_boundaries.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Finds G = g o D + start for a swizzle g. The equation of element i: start + sum of (digit k of
/// L(i)) * stride k = g^-1(i). `start` is 0 unless L has a swizzle or an offset.
struct place_search {
  struct known_place {
    integer place = 0;
    integer element = 0;
  };
  element_search elements;
  layout of;                       // L
  integer most;                    // the largest place
  list<known_place, 256> known{};  // ascending
  boundaries bounds{};
  axe::swizzle g{};
  layout found{};
  bool left_out = false;  // skipped candidates: a list was full, or numbers overflowed

  AXE_FN constexpr place_search(layout const& l, integer largest_place)
      : elements(l), of(l), most(largest_place) {}

  AXE_FN constexpr bool plain() const { return of.swizzle.none() && of.offsets.count == 0; }

  AXE_FN constexpr bool add_equation(integer_solutions& strides, integer const* digits,
                                     integer value, step_limit& steps) {
    bool const held = strides.add(digits, value, steps);
    left_out = left_out || !strides.fits;
    return held;
  }

  /// Combination i of L's digits and replicas, the smallest stride fastest.
  AXE_FN constexpr known_place counted(integer i) const {
    known_place one{elements.least, elements.origin};
    for (counted_digit const& d : elements.sorted) {
      one.place += i % d.extent * d.stride;
      one.element += i % d.extent * d.weight;
      i /= d.extent;
    }
    one.place = of.swizzle(one.place);
    return one;
  }
  AXE_FN constexpr bool add_place(integer_solutions& strides, integer i, step_limit& steps) {
    known_place const one = counted(i);
    integer digits[integer_solutions::most]{};
    bounds.digits_of(one.place, digits);
    digits[bounds.count + 1] = 1;  // factor of `start`
    return add_equation(strides, digits, g.inverse(one.element), steps);
  }

  AXE_FN constexpr bool solves(step_limit& steps) {
    integer_solutions strides(bounds.count + (plain() ? 1 : 2));
    integer const size = elements.combinations();
    if (!plain() && !add_place(strides, 0, steps)) return false;
    for (integer i = 1; i < size; ++i) {
      if (!steps.take(1 + elements.sorted.count) || !add_place(strides, i, steps)) return false;
    }
    integer const start = plain() ? 0 : strides.particular[bounds.count + 1];
    outcome<layout> const fitted = bounds.digits(strides.particular, most).behind(g, start);
    bool const valid = fitted && !check(*fitted);
    if (valid) found = *fitted;
    left_out = left_out || !valid;
    return valid;
  }

  AXE_FN constexpr void list_known(step_limit& steps) {
    integer const size = smaller(elements.combinations(), 4096);
    for (integer i = 0; i < size && !steps.spent(); ++i) keep(counted(i), steps);
    if (known.count < elements.combinations() && of.swizzle.none()) list_ends(steps);
  }
  /// Replaces the larger half of `known` by places at the first values and the last value of each
  /// digit: the gaps between rows rule out most boundaries.
  AXE_FN constexpr void list_ends(step_limit& steps) {
    while (known.count > known.capacity / 2) known.pop();
    integer const tried = elements.sorted.count > 3 ? 3 : 5;
    for (integer i = 1; known.count < known.capacity && !steps.spent(); ++i) {
      integer number = 0, weight = 1, rest = i;
      for (counted_digit const& d : elements.sorted) {
        integer const values = smaller(d.extent, tried), digit = rest % values;
        number += (digit == values - 1 ? d.extent - 1 : digit) * weight;
        weight *= d.extent;
        rest /= values;
      }
      if (rest > 0) return;
      steps.taken += elements.sorted.count;
      insert(counted(number), steps);
    }
  }
  /// Every swizzle evaluates all known places, so a swizzled L keeps fewer.
  AXE_FN constexpr void keep(known_place const& one, step_limit& steps) {
    int const room = of.swizzle.none() ? known.capacity : 64;
    steps.taken += elements.sorted.count;
    if (known.count == room) {
      if (one.place > known.back().place) return;
      known.pop();
    }
    insert(one, steps);
  }
  AXE_FN constexpr void insert(known_place const& one, step_limit& steps) {
    int at = known.count;
    while (at > 0 && known[at - 1].place > one.place) --at;
    steps.taken += (known.count - at) / 8;
    if (at == 0 || known[at - 1].place != one.place) known.insert(at, one);
  }

  /// Adds the difference of the equations of known places k - 1 and k. `begin`: the last boundary.
  AXE_FN constexpr bool add_difference(integer_solutions& strides, int k, integer begin,
                                       step_limit& steps) {
    integer const one = known[k - 1].place;
    integer const other = known[k].place;
    steps.taken += 1 + strides.unknowns / 4;
    integer digits[integer_solutions::most]{};
    integer below = 1;
    for (int j = 0; j < bounds.count; ++j) {
      digits[j] = other % bounds[j] / below - one % bounds[j] / below;
      below = bounds[j];
    }
    digits[bounds.count] = other / begin - one / begin;
    return add_equation(strides, digits,
                        g.inverse(known[k].element) - g.inverse(known[k - 1].element), steps);
  }
  /// True if no strides allow a digit between the boundaries `begin` and `end`.
  AXE_FN constexpr bool refuted(integer_solutions& strides, integer begin, integer end,
                                step_limit& steps) {
    for (int k = 1; k < known.count && !steps.spent(); ++k) {
      integer const one = known[k - 1].place;
      integer const other = known[k].place;
      steps.taken += k % 4 == 0;
      if (one / end != other / end || one / begin == other / begin) continue;
      if (!add_difference(strides, k, begin, steps)) return true;
    }
    return false;
  }
  /// No strides fit all known places between these two, so the next boundary must separate them.
  struct conflict {
    integer from = 0;
    integer to = 0;

    AXE_FN constexpr bool in_one_block(integer end) const { return from / end == to / end; }
  };
  /// Finds the next conflict after known place k, and sets k to its last place.
  AXE_FN constexpr bool find_conflict(integer_solutions const& fresh, int& k, integer begin,
                                      conflict& made, step_limit& steps) {
    auto const apart = [&](int at) {
      return known[at - 1].place / begin != known[at].place / begin;
    };
    integer_solutions strides = fresh;
    while (++k < known.count && !steps.spent()) {
      if (!apart(k) || add_difference(strides, k, begin, steps)) continue;
      int first = k;
      for (strides = fresh;
           first > 1 && (!apart(first) || add_difference(strides, first, begin, steps));)
        --first;
      made = {known[first - 1].place, known[k].place};
      return true;
    }
    return false;
  }

  /// Tries all lists of boundaries that begin with `bounds`. `known_strides`: the strides of digits
  /// below the last boundary that solve the equations so far.
  AXE_FN constexpr bool refine(integer_solutions const& known_strides, step_limit& steps) {
    integer const begin = bounds.last();
    integer_solutions fresh = known_strides;
    fresh.add_unknown();
    steps.taken += 4;
    conflict one;
    conflict other;
    integer last_end = most;  // a longer block contains one of the two conflicts
    if (int k = 0; find_conflict(fresh, k, begin, one, steps)) {
      if (2 * begin > most) return false;
      if (!find_conflict(fresh, k, begin, other, steps))
        other = one;
      else
        last_end = smaller(most, other.to - one.from);
    } else if ((known.count == elements.combinations() || 2 * begin > most) && solves(steps)) {
      return true;
    }
    if (steps.spent() || 2 * begin > most) return false;
    for (integer by = 2; by * begin <= last_end; ++by) {
      integer divisor = 2;
      while (divisor * divisor <= by && by % divisor != 0) ++divisor;
      steps.taken += divisor / 16;
      bool const is_prime = divisor * divisor > by;
      if (!is_prime) continue;  // tried as two boundaries
      if (!steps.take()) return false;
      integer const end = by * begin;
      if (one.to > 0 && (one.in_one_block(end) || other.in_one_block(end))) continue;
      integer_solutions strides = fresh;
      if (refuted(strides, begin, end, steps)) continue;
      if (steps.spent()) return false;
      if (!bounds.push(end)) {
        left_out = true;
        continue;
      }
      if (refine(strides, steps)) return true;
      bounds.pop();
    }
    return false;
  }

  AXE_FN constexpr bool find(int element_bits, auto const& can_begin, step_limit& steps) {
    return any_swizzle(
               of.swizzle, {}, element_bits, false,
               [&](axe::swizzle const& behind) {
                 g = behind;
                 bounds.clear();
                 return !steps.take() ||
                        (can_begin(behind) && refine(integer_solutions(0), steps)) || steps.spent();
               },
               true) &&
           !steps.spent();
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
