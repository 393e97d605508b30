// What a route is searched for, and what it is made of: the elements that each lane lacks, and
// rounds in which each lane reads one other.
//
//     S[(4,8):(1@lane,1@reg)] to S[(4,8):(1@reg,4@lane)]:  lane 4*j lacks (i, j) of every lane i != 4*j
//
// convert/route.hpp finds routes backwards, convert/negotiate.hpp over all rounds at once.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/schedule.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_demands = 4096;

/// One round of a route: 1 + the lane that each lane reads, 1 + the elements of the word that each
/// lane puts up; 0: none.
struct route_round {
  signed char reads[warp_lanes];
  short sends[warp_lanes][4];
};

using route_list = list<route_round, conversion_plan::most_words>;

/// What lanes lack, by lane: the part of the search that stays as it is.
struct lacking {
  holders const& where;
  int sub;
  bool fits = true;
  bool copies = false;            // does an element lie in several lanes?
  short element[most_demands]{};  // of lane l: [from[l], from[l + 1])
  short from[warp_lanes + 1]{};
  list<short, most_demands>
      once;  // each element that is lacked by a lane and lies in one lane alone

  AXE_FN constexpr lacking(warp_holding const& target, holders const& held, int elements_of_word)
      : where(held), sub(elements_of_word) {
    bool listed[warp_lanes * most_slots]{};
    short needs[most_slots]{};
    for (int d = 0; d < warp_lanes; ++d) {
      int const n = needs_of(d, target, where, needs);
      fits = fits && from[d] + n <= most_demands;
      from[d + 1] = static_cast<short>(from[d] + (fits ? n : 0));
      for (int i = 0; i < n && fits; ++i) {
        element[from[d] + i] = needs[i];
        bool const alone = (where.lanes[needs[i]] & (where.lanes[needs[i]] - 1)) == 0;
        copies = copies || !alone;
        if (alone && !listed[needs[i]]) once.push(needs[i]);
        listed[needs[i]] = true;
      }
    }
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
