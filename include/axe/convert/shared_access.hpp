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
    integer const of_warp = element_of_digits(a.warps, w, other);
    for (int slot = 0; slot < a.slot_count; slot += vector)
      for (int from = 0; from < warp_lanes; from += together) {
        bank_queues wanted(1024 / width / unit);
        for (int l = from; l < from + together; ++l) {
          if (a.of_lane[l] == 0) continue;
          integer first = -1;
          for (int i = 0; i < vector; ++i) {
            if (!steps.take()) return {};
            if (slot + i >= a.slot_count || a.of_slot[slot + i] == 0) {
              if (vector > 1) return {};
              continue;
            }
            integer const x = of_warp + a.of_lane[l] + a.of_slot[slot + i] - 2,
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
