// SPDX-License-Identifier: MIT
// Tables of one warp: the element in each slot, and the lanes that lack an element.
//
//     S[(8,2,4,2):(4@lane,1@reg,1@lane,2@reg)]      lane 5, slots 0 to 3: elements 18, 26, 19, 27
#pragma once

#include <axe/base/sort.hpp>
#include <axe/convert/conversion_plan.hpp>
#include <axe/layout/check.hpp>
#include <axe/linear/engine/bit_matrix.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_slots = 4 * conversion_plan::most_words;

/// De Bruijn table of `lowest`.
inline constexpr signed char lane_of_bits[warp_lanes] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
                                                         15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
                                                         16, 7,  26, 12, 18, 6,  11, 5,  10, 9};

/// Branch-free, because the router calls it most often.
AXE_LAZY_FN constexpr int lowest(register_word lanes) {
  return lane_of_bits[(lanes & (~lanes + 1)) * 0x077cb531u >> 27];
}

inline constexpr int most_register_words = 255;

AXE_LAZY_FN constexpr bool is_inside_warp(axis a) {
  return a == axis::lane || a == axis::reg || a == axis::null;
}

struct element_digit {
  iter digit{};
  integer element_step = 1;

  constexpr bool operator==(element_digit const&) const = default;
};
using element_digits = list<element_digit, capacity::shards + capacity::replicas>;

/// The digits on axis a, largest stride first. `null` selects digits outside the warp. `store`
/// omits replicas.
AXE_LAZY_FN constexpr element_digits digits_on(layout const& l, axis a, bool store) {
  element_digits sorted;
  integer below = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    below /= i.extent;
    if (a == axis::null ? !is_inside_warp(i.on) : i.is_on(a)) sorted.push({i, below});
  }
  for (iter const& r : l.replicas)
    if (r.is_on(a) && !store) sorted.push({r, 0});
  sort_by(sorted, [](element_digit const& d) { return -magnitude(d.digit.stride); });
  return sorted;
}

AXE_LAZY_FN constexpr integer count_of(element_digits const& digits) {
  integer count = 1;
  for (element_digit const& d : digits) count *= d.digit.extent;
  return count;
}

/// The element at index j of `digits`. Adds its place to `place`.
AXE_LAZY_FN constexpr integer element_of_digits(element_digits const& digits, integer j,
                                                integer& place) {
  integer element = 0;
  for (int k = digits.size() - 1; k >= 0; --k) {
    auto const& [digit, step] = digits[k];
    place += j % digit.extent * digit.stride;
    element += j % digit.extent * step;
    j /= digit.extent;
  }
  return element;
}

/// An element's number is the sum of those of its warp, lane and slot.
struct register_access {
  element_digits warps, lanes, slots;
  integer of_lane[warp_lanes]{};  // 1 + number; 0: no element
  integer of_slot[most_register_words * 4]{};
  int slot_count = 0;

  AXE_FN constexpr register_access(layout const& l, bool store)
      : register_access(digits_on(l, axis::lane, store), l.offset(axis::lane),
                        digits_on(l, axis::reg, store), l.offset(axis::reg)) {
    warps = digits_on(l, axis::null, store);
  }
  AXE_FN constexpr register_access(element_digits const& of_lanes, integer first_lane,
                                   element_digits const& of_slots, integer first_slot)
      : lanes(of_lanes), slots(of_slots) {
    fill(lanes, first_lane, of_lane);
    slot_count = static_cast<int>(fill(slots, first_slot, of_slot) + 1);
  }
  /// The element in warp 0, or -1.
  AXE_FN constexpr int at(int lane, int slot) const {
    integer const of_both = of_lane[lane] + of_slot[slot] - 2;
    return of_lane[lane] > 0 && of_slot[slot] > 0 ? static_cast<int>(of_both) : -1;
  }
  AXE_FN constexpr int words(int per_word) const { return (slot_count + per_word - 1) / per_word; }
  /// to[place] becomes 1 + its element. Returns the largest place.
  AXE_FN static constexpr integer fill(element_digits const& digits, integer from, integer* to) {
    integer last = 0;
    for (integer j = 0, n = count_of(digits); j < n; ++j) {
      integer place = from;
      integer const element = element_of_digits(digits, j, place);
      to[place] = 1 + element;
      last = larger(last, place);
    }
    return last;
  }
};

AXE_LAZY_FN constexpr int words_of(layout const& l, int per_word) {
  return static_cast<int>(reach_before_swizzle(l, axis::reg).largest / per_word + 1);
}

struct warp_exchange {
  static constexpr int most_elements = warp_lanes * most_slots;

  register_access source, target;
  int per_word;  // elements of a word
  bool fits;     // in a plan; else the tables are empty
  int elements = 0;
  register_word holders[most_elements]{};
  register_word readers[most_elements]{};  // lanes that need the element and lack it

  AXE_FN constexpr warp_exchange(register_access const& from, register_access const& to,
                                 int of_word)
      : source(from),
        target(to),
        per_word(of_word),
        fits(from.words(per_word) <= conversion_plan::most_words &&
             to.words(per_word) <= conversion_plan::most_words) {
    if (!fits) return;
    for (int lane = 0; lane < warp_lanes; ++lane) {
      for (int slot = 0; slot < source.slot_count; ++slot)
        if (int const e = source.at(lane, slot); e >= 0) {
          holders[e] |= register_word{1} << lane;
          if (e >= elements) elements = e + 1;
        }
      for (int slot = 0; slot < target.slot_count; ++slot)
        if (int const e = target.at(lane, slot); e >= 0)
          readers[e] |= ~holders[e] & register_word{1} << lane;
    }
  }
  AXE_FN constexpr int slot_of(int lane, int e) const {
    if ((holders[e] >> lane & 1) == 0) return -1;
    int slot = 0;
    while (source.at(lane, slot) != e) ++slot;
    return slot;
  }
};

/// Rounds in which a lane can read `lacked` elements: at most `word` in the first round, then twice
/// as many as in the round before, up to `per_word`.
AXE_LAZY_FN constexpr int rounds_to_read(int lacked, int word, int per_word) {
  int rounds = 0;
  for (; lacked > 0; ++rounds) {
    if (word > per_word) word = per_word;
    lacked -= word;
    word *= 2;
  }
  return rounds;
}

/// A lower bound on the shuffles of `times` equal exchanges, which may share rounds (D21, "Bound").
AXE_LAZY_FN constexpr int shuffle_bound(warp_exchange const& x, int times = 1) {
  int lacked[warp_lanes]{};                  // elements, by lane
  int lacked_of[warp_lanes][warp_lanes]{};   // by lane, by holder
  register_word sole_holders[warp_lanes]{};  // by reader
  list<register_word, 64> holder_sets;
  for (int e = 0; e < x.elements; ++e) {
    register_word const held = x.holders[e];
    if (x.readers[e] == 0) continue;
    for (register_word readers = x.readers[e]; readers != 0; readers &= readers - 1) {
      int const d = lowest(readers);
      ++lacked[d];
      for (register_word h = held; h != 0; h &= h - 1) ++lacked_of[d][lowest(h)];
      if ((held & (held - 1)) == 0) sole_holders[d] |= held;
    }
    if (!holder_sets.contains(held)) holder_sets.push(held);
  }
  int bound = 0;
  for (int d = 0; d < warp_lanes; ++d) {
    int word = 0;  // the most elements that one lane can send to d
    for (int n : lacked_of[d])
      if (times * n > word) word = times * n;
    int const rounds = rounds_to_read(times * lacked[d], word, x.per_word);
    if (rounds > bound) bound = rounds;
    while (bound < 6 && 1 << bound <= count_bits(sole_holders[d])) ++bound;
  }
  for (register_word set : holder_sets) {
    int inside = 0;
    for (int e = 0; e < x.elements; ++e) inside += x.readers[e] != 0 && (x.holders[e] & ~set) == 0;
    while (bound * x.per_word * count_bits(set) < times * inside) ++bound;
  }
  return bound;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
