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
  integer const copies = product_of_extents(l.replicas);
  for (integer copy = 0; copy < copies; ++copy) {
    integer lane = l.offset(axis::lane), reg = l.offset(axis::reg);
    integer rest = copy;
    for (iter const& r : l.replicas) {
      (r.is_on(axis::lane) ? lane : reg) += rest % r.extent * r.stride;
      rest /= r.extent;
    }
    integer digits[capacity::shards]{};
    for (int x = 0; x < table.elements; ++x) {
      table.held[lane * table.slots + reg] = static_cast<short>(x + 1);
      for (int k = l.shards.size() - 1; k >= 0; --k) {
        iter const& i = l.shards[k];
        bool const carries = digits[k] + 1 == i.extent;
        integer const step = carries ? -digits[k] * i.stride : i.stride;
        if (i.is_on(axis::lane)) lane += step;
        if (i.is_on(axis::reg)) reg += step;
        digits[k] = carries ? 0 : digits[k] + 1;
        if (!carries) break;
      }
    }
  }
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
