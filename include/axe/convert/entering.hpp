// What has to enter: elements come among the lanes that lack them once from outside, and such a
// word has places that bring nothing, or what was passed on.
//
//     outside     an element of which no holder lacks anything that one of its readers lacks
//     entering    the first arrival of such an element at any reader: straight from a holder, or passed on by a lane that did not need it
//
// A word straight from a holder outside brings at most the m < c elements that it held for the
// reader; its other c - m places hold what the holder passes on, or nothing that the reader lacks.
// Lanes lose at most c * R places less what they lack; and read, all together, at most as many
// elements y to pass on as they have room for, which arrive by this at most once at each of their k
// readers. So of N outside elements
//
//     N <= m / (c - m) * (places that readers lose + k * y) + y
//
// Example: S[(8,2,8,4):(4@lane,1@reg,2@reg,1@lane)] to S[(8,2,8,4):(1@reg,1@lane,2@lane,8@reg)] +
// R[2:16@lane], 8 bits: two lanes each lack the same
// 32 bytes, one of each lane. Nine rounds have room for 36, but a word straight from another lane
// fills one place of four. It takes ten.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/under_way.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Elements that come from outside of the lanes that lack them. The number of rounds does not
/// matter.
struct entering_elements {
  int elements = 0;
  int most_straight = 0;  // of them that one lane holds for another
  int most_readers = 1;
  register_word readers = 0;

  AXE_FN constexpr entering_elements(warp_holding const& source, warp_holding const& target,
                                     holders const& where, reach_counts const& counts,
                                     common_needs const& needs)
      : most_readers(needs.most_readers) {
    register_word lacked_by[warp_lanes * most_slots]{};
    for (int d = 0; d < warp_lanes; ++d)
      for (int slot = 0; slot < target.slots; ++slot)
        if (int const e = target.at(d, slot); e >= 0 && (where.lanes[e] >> d & 1) == 0)
          lacked_by[e] |= register_word{1} << d;
    for (int e = 0; e < source.elements; ++e) {
      bool outside = lacked_by[e] != 0;
      int straight = 0;
      for (register_word lack = lacked_by[e]; lack != 0; lack &= lack - 1)
        for (register_word hold = where.lanes[e]; hold != 0; hold &= hold - 1) {
          int const d = lowest(lack), p = lowest(hold);
          outside = outside && needs.common[d][p] == 0;
          straight = counts.chunk[d][p] > straight ? counts.chunk[d][p] : straight;
        }
      if (!outside) continue;
      ++elements;
      readers |= lacked_by[e];
      most_straight = straight > most_straight ? straight : most_straight;
    }
  }

  /// Can so many enter?
  AXE_FN constexpr bool fit(occupied_lanes const& lanes) const {
    int const sub = lanes.sub;
    if (most_straight >= sub) return true;
    integer lost = 0, passed_on = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      passed_on += room_to_pass(lanes, l);
      if ((readers >> l & 1) != 0) lost += sub * lanes.rounds - lanes.counts.foreign[l];
    }
    return elements <=
           most_straight * (lost + most_readers * passed_on) / (sub - most_straight) + passed_on;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
