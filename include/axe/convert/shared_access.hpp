// The cost of a register layout's stores or loads in shared memory: the widest vectors and their
// wavefronts, counted exactly.
//
//     an instruction     one warp; V slots of each lane, side by side in memory at a multiple of V
//     a phase            32 lanes up to 4 bytes each, 16 lanes for 8 bytes, 8 lanes for 16 bytes
//     wavefronts         the most 4-byte words that the lanes of a phase want of one of 32 banks
//
// Of several replicas one is stored.
#pragma once

#include <axe/analysis/conflicts.hpp>
#include <axe/convert/within_warp.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr integer count_of(element_digits const& digits) {
  integer count = 1;
  for (element_digit const& d : digits) count *= d.digit.extent;
  return count;
}

/// The element at number j of the digits; `place` moves to its place.
AXE_LAZY_FN constexpr integer element_of(element_digits const& digits, integer j, integer& place) {
  integer element = 0;
  for (int k = digits.size() - 1; k >= 0; --k) {
    auto const& [digit, step] = digits[k];
    place += j % digit.extent * digit.stride;
    element += j % digit.extent * step;
    j /= digit.extent;
  }
  return element;
}

/// The contribution of each lane and slot to the element index, -1 if empty.
struct register_access {
  element_digits warps, lanes, slots;
  integer of_lane[warp_lanes];
  integer of_slot[most_register_words * 4];
  int slot_count = 0;

  /// `store`: one of several copies.
  AXE_FN constexpr register_access(layout const& l, bool store)
      : warps(digits_on(l, axis::null, store)),
        lanes(digits_on(l, axis::lane, store)),
        slots(digits_on(l, axis::reg, store)),
        of_lane{},
        of_slot{} {
    for (integer& n : of_lane) n = -1;
    for (integer& n : of_slot) n = -1;
    fill(lanes, l.offset(axis::lane), of_lane);
    slot_count = static_cast<int>(fill(slots, l.offset(axis::reg), of_slot) + 1);
  }
  /// Returns the last place.
  AXE_FN static constexpr integer fill(element_digits const& digits, integer from, integer* to) {
    integer last = 0;
    for (integer j = 0, n = count_of(digits); j < n; ++j) {
      integer place = from;
      integer const element = element_of(digits, j, place);
      to[place] = element;
      last = larger(last, place);
    }
    return last;
  }
};

/// The cost of an access with vectors of so many elements.
struct shared_cost {
  int vector = 0;     // elements; 0: this width does not fit
  integer waves = 0;  // of all phases
  integer worst = 0;  // of one
};

AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          int vector, step_limit& steps) {
  shared_cost cost;
  int const bits = vector * width, together = bits <= 32 ? 32 : 1024 / bits,
            unit = bits <= 32 ? 32 / width : vector;  // of a bank, or of several
  for (integer w = 0, n = count_of(a.warps); w < n; ++w) {
    integer other = 0;
    integer const of_warp = element_of(a.warps, w, other);
    for (int slot = 0; slot < a.slot_count; slot += vector)
      for (int from = 0; from < warp_lanes; from += together) {
        bank_queues wanted(1024 / width / unit);
        for (int l = from; l < from + together; ++l) {
          if (a.of_lane[l] < 0) continue;
          integer first = -1;
          for (int i = 0; i < vector; ++i) {
            if (!steps.take()) return {};
            if (slot + i >= a.slot_count || a.of_slot[slot + i] < 0) {
              if (vector > 1) return {};
              continue;
            }
            integer const x = of_warp + a.of_lane[l] + a.of_slot[slot + i],
                          at =
                              place.swizzle(place.offset(axis::m) + sum_of_digits(place.shards, x));
            if (i == 0) first = at;
            if (at != first + i || first % vector != 0) return {};
          }
          if (first >= 0) wanted.ask(first / unit);
        }
        integer const waves = wanted.count[wanted.longest()];
        cost.waves += waves;
        cost.worst = larger(cost.worst, waves);
      }
  }
  cost.vector = vector;
  return cost;
}

/// The widest vectors that fit.
AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          step_limit& steps) {
  for (int vector = 128 / width; vector > 0; vector /= 2)
    if (shared_cost const cost = cost_of(a, place, width, vector, steps); cost.vector > 0)
      return cost;
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
