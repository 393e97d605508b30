// What the registers of one warp hold under a layout: a table of lanes and slots, the ground on
// which plans are made and bounds counted.
//
//     S[(8,2,4,2):(4@lane,1@reg,1@lane,2@reg)]      lane 5, slots 0 to 3: elements 18, 26, 19, 27
//
// A slot is an element's place in a lane; slots are counted in whole words, so a lane has a
// multiple of 32 / width of them.
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
  /// Does word w hold nothing in any lane?
  AXE_FN constexpr bool is_empty(int w, int sub) const {
    for (int l = 0; l < warp_lanes; ++l)
      for (int s = w * sub; s < w * sub + sub; ++s)
        if (at(l, s) >= 0) return false;
    return true;
  }
};

/// Which lane 2^lane is, by the five high bits of 2^lane * 0x077cb531: each of the 32 occurs once
/// in that number (de Bruijn).
inline constexpr signed char lane_of_bits[warp_lanes] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
                                                         15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
                                                         16, 7,  26, 12, 18, 6,  11, 5,  10, 9};

/// The lowest of some lanes, without a branch: searches ask this more than anything else.
AXE_LAZY_FN constexpr int lowest(register_word lanes) {
  return lane_of_bits[(lanes & (~lanes + 1)) * 0x077cb531u >> 27];
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

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
