// Who passes on what is late: lanes between a holder and a reader take it along, others cost a word.
//
//     straight    a word of a lane that held something for the reader: of what the reader lacks it brings at most that, straight
//     detour      a word that a lane which lacks something reads of one that held nothing for it: one straight word less, so more is late
//     between     lane p held something for d, as did s, and p lacks something of s, or nothing at all: from s by p to d is no detour
//
// A late element comes through a lane between, whose room it takes; or in a detour, which has c places; or, in three rounds or more, through two lanes
// that hold something, and takes room in both. With the fewest late elements for every number of detours, one of these numbers must do.
// Only asked where each element is lacked by one lane: what several lack is passed on for all of them at once.
//
// Example: S[(2,8,8,2,2):(1@lane,4@lane,2@reg,16@reg,2@lane)] to S[(2,4,2,4,2,2,2):(1@lane,4@reg,2@lane,8@lane,4@lane,1@reg,2@reg)], 8 bits, takes 6
// rounds. Lanes hold for eight lanes, two bytes each, and half of them hold for one group of eight and lack what the lanes of another hold. In five
// rounds 160 bytes are late at least, and lanes have room for 160; but 64 of these are of lanes that are between no two lanes.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/under_way.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

struct passing_on {
  int sub, rounds;
  integer late = 0;          // without detours
  integer straight[5]{};     // words straight from holders, by the elements that they bring
  integer room = 0;          // of all lanes
  integer holders_room = 0;  // of those that hold something
  integer between = 0;       // of lanes between

  AXE_FN constexpr explicit passing_on(occupied_lanes const& lanes) : sub(lanes.sub), rounds(lanes.rounds) {
    register_word holders[warp_lanes]{}, readers[warp_lanes]{};
    for (int d = 0; d < warp_lanes; ++d)
      for (int s = 0; s < warp_lanes; ++s)
        if (lanes.counts.chunk[d][s] > 0) {
          holders[d] |= register_word{1} << s;
          readers[s] |= register_word{1} << d;
        }
    for (int l = 0; l < warp_lanes; ++l) {
      if (holders[l] != 0) read(lanes.counts.chunk[l], lanes.counts.foreign[l]);
      integer const mine = room_to_pass(lanes, l);
      register_word const asked = holders[l] != 0 ? holders[l] : ~(register_word{1} << l);
      bool is_between = false;
      for (register_word left = readers[l]; left != 0; left &= left - 1)
        is_between = is_between || (holders[lowest(left)] & asked & ~(register_word{1} << l)) != 0;
      room += mine;
      if (readers[l] != 0) holders_room += mine;
      if (is_between) between += mine;
    }
  }

  /// The fullest words that a lane can read straight, as if no two lanes held the same.
  AXE_FN constexpr void read(short const (&chunk)[warp_lanes], int lacks) {
    int words[5]{};
    for (short n : chunk) {
      words[sub] += n / sub;
      if (n % sub > 0) ++words[n % sub];
    }
    int left = rounds;
    for (int n = sub; n > 0; --n)
      for (; words[n] > 0 && left > 0 && lacks > 0; --words[n], --left) {
        int const brings = n < lacks ? n : lacks;
        ++straight[brings];
        lacks -= brings;
      }
    straight[0] += left;
    late += lacks;
  }

  /// The most that can be passed on with so many detours.
  AXE_FN constexpr integer most(integer detours) const {
    integer const taken = between + sub * detours;
    integer best = room < taken ? room : taken;
    if (rounds < 3) return best;
    integer const by_holders = sub * detours + (holders_room + between) / 2, by_all = (room + taken) / 2;
    best = by_holders < by_all ? by_holders : by_all;
    return room < best ? room : best;
  }

  /// Can all be passed on that is late? The poorest words are given up for detours first.
  AXE_FN constexpr bool fit() const {
    integer more_late = late, detours = 0;
    for (int n = 0; n <= sub; ++n)
      for (integer i = 0; i < straight[n]; ++i, ++detours, more_late += n)
        if (more_late <= most(detours)) return true;
    return more_late <= most(detours);
  }
};

/// Is there a way for all that is late?
AXE_PLANNER constexpr bool all_is_passed_on(occupied_lanes const& lanes) {
  return lanes.needs.most_readers > 1 || passing_on(lanes).fit();
}

}  // namespace axe::inline AXE_NAMESPACE::detail
