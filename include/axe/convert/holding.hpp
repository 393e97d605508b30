// Tables of one warp: which element each slot of each lane holds, and which lanes lack it.
//
//     S[(8,2,4,2):(4@lane,1@reg,1@lane,2@reg)]      lane 5, slots 0 to 3: elements 18, 26, 19, 27
//
// A slot is an element's place in the registers of a lane. A lane has whole words of slots, so a
// multiple of 32 / width.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/plan.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_slots = 4 * conversion_plan::most_words;

/// Slot s of lane l holds element held[l * slots + s] - 1; 0: nothing.
struct warp_holding {
  int slots = 0;
  int elements = 0;
  short held[warp_lanes * most_slots]{};

  AXE_FN constexpr int at(int lane, int slot) const { return held[lane * slots + slot] - 1; }
};

/// Lane numbers by the five high bits of 2^lane * 0x077cb531, a de Bruijn sequence.
inline constexpr signed char lane_of_bits[warp_lanes] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
                                                         15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
                                                         16, 7,  26, 12, 18, 6,  11, 5,  10, 9};

/// The lowest lane of a set, without a branch: the router asks this more than anything else.
AXE_LAZY_FN constexpr int lowest(register_word lanes) {
  return lane_of_bits[(lanes & (~lanes + 1)) * 0x077cb531u >> 27];
}

AXE_LAZY_FN constexpr int number_of(register_word lanes) {
  int n = 0;
  for (; lanes != 0; lanes &= lanes - 1) ++n;
  return n;
}

inline constexpr int most_register_words = 255;

AXE_LAZY_FN constexpr bool is_inside_warp(axis a) {
  return a == axis::lane || a == axis::reg || a == axis::null;
}

/// A digit or a replica, and how many elements one step of it is.
struct element_digit {
  iter digit;
  integer step = 1;

  AXE_FN friend constexpr bool operator==(element_digit const&, element_digit const&) = default;
};
using element_digits = list<element_digit, capacity::shards + capacity::replicas>;

/// The digits on an axis, or (`null`) outside of the warp, the largest step first. Replicas are
/// loaded by every lane that wants them, stored by one.
AXE_LAZY_FN constexpr element_digits digits_on(layout const& l, axis a, bool store) {
  element_digits sorted;
  auto const add = [&](element_digit const& d) {
    int at = 0;
    while (at < sorted.size() && magnitude(sorted[at].digit.stride) >= magnitude(d.digit.stride))
      ++at;
    sorted.insert(at, d);
  };
  integer below = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    below /= i.extent;
    if (a == axis::null ? !is_inside_warp(i.on) : i.is_on(a)) add({i, below});
  }
  for (iter const& r : l.replicas)
    if (r.is_on(a) && !store) add({r, 0});
  return sorted;
}

AXE_LAZY_FN constexpr integer count_of(element_digits const& digits) {
  integer count = 1;
  for (element_digit const& d : digits) count *= d.digit.extent;
  return count;
}

/// The element at number j of the digits; `place` moves to its place.
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

/// The elements of a register layout: x is the sum of the contributions of a warp, a lane and a
/// slot.
struct register_access {
  element_digits warps, lanes, slots;
  integer of_lane[warp_lanes]{};               // 1 + contribution; 0: empty
  integer of_slot[most_register_words * 4]{};  // 1 + contribution; 0: empty
  int slot_count = 0;

  /// `store`: one of several copies.
  AXE_FN constexpr register_access(layout const& l, bool store)
      : warps(digits_on(l, axis::null, store)),
        lanes(digits_on(l, axis::lane, store)),
        slots(digits_on(l, axis::reg, store)) {
    fill(lanes, l.offset(axis::lane), of_lane);
    slot_count = static_cast<int>(fill(slots, l.offset(axis::reg), of_slot) + 1);
  }
  /// Returns the last place.
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

/// Slots of a lane, rounded up to words of `sub` elements.
AXE_LAZY_FN constexpr int slots_of(layout const& l, int sub) {
  interval reach;
  plain_reach(l, axis::reg, reach);
  return static_cast<int>((reach.largest / sub + 1) * sub);
}

/// Fills the table for an injective layout on lane and reg that fits in it.
AXE_LAZY_FN constexpr void hold(layout const& l, int sub, warp_holding& table) {
  table.slots = slots_of(l, sub);
  table.elements = static_cast<int>(product_of_extents(l.shards));
  register_access const all(l, false);
  for (int lane = 0; lane < warp_lanes; ++lane)
    for (int slot = 0; slot < all.slot_count; ++slot)
      if (all.of_lane[lane] > 0 && all.of_slot[slot] > 0)
        table.held[lane * table.slots + slot] =
            static_cast<short>(all.of_lane[lane] + all.of_slot[slot] - 1);
}

/// Two tables of the same elements: who holds each element of the source, who lacks it.
struct warp_exchange {
  static constexpr int most_elements = warp_lanes * most_slots;

  warp_holding const &source, &target;
  int sub;                                 // elements of a word
  register_word holders[most_elements]{};  // lanes, by element
  register_word readers[most_elements]{};  // lanes that need the element and do not hold it

  AXE_FN constexpr warp_exchange(warp_holding const& from, warp_holding const& to, int of_word)
      : source(from), target(to), sub(of_word) {
    for (int lane = 0; lane < warp_lanes; ++lane)
      for (int slot = 0; slot < source.slots; ++slot)
        if (int const e = source.at(lane, slot); e >= 0) holders[e] |= register_word{1} << lane;
    for (int lane = 0; lane < warp_lanes; ++lane)
      for (int slot = 0; slot < target.slots; ++slot)
        if (int const e = target.at(lane, slot); e >= 0)
          readers[e] |= ~holders[e] & register_word{1} << lane;
  }
  /// The first slot of a lane that holds element e, or -1.
  AXE_FN constexpr int slot_of(int lane, int e) const {
    if ((holders[e] >> lane & 1) == 0) return -1;
    int slot = 0;
    while (source.at(lane, slot) != e) ++slot;
    return slot;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
