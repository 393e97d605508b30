// What is under way: elements that have left the lane that held them, and have not arrived.
//
//     after round t have left     at most min(c * t, what must leave) of each lane
//     have arrived                at least what each lane lacks, less the most that it can gain in the rounds that are left
//
// The difference is the most that can be under way after round t; an element that does not arrive
// in the round in which it leaves is under way after at least one. Such late elements are at least
// what lanes cannot read straight from the holders: a word read from a holder brings what that lane
// held for the reader, and is filled up with late elements only as far as holders have room.
// Example: S[(3,3,5):(1@lane,5@reg,1@reg)] to S[(3,3,5):(5@reg,1@lane,1@reg)], 16 bits: three lanes
// lack five elements of each of the two others. Five rounds have room for ten elements, if every
// word is full and nothing is ever under way; but five words straight from two lanes bring nine. It
// takes six.
//
//     room      lane p can pass on at most c * R - what must leave it, and at most c * R - what it lacks, which it reads too; nothing in the first round
//
// Late elements are at most the room of all lanes together. What is under way is counted for each
// part of a conversion by itself: lanes that hold and lanes that lack, as far as they are connected
// by elements; a part that is pressed for time does not gain by another that has plenty. Example:
// S[(10,3,5,2):(1@lane,1@reg,3@reg,10@lane)] to S[(10,3,5,2):(1@lane,10@lane,2@reg,1@reg)], 16
// bits, takes 6 rounds: in five, twenty elements are late, and there is room for sixteen. Only
// asked where each element is held by one lane and lacked by one.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/occupied.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Lanes that are connected by elements: some hold what the others lack.
struct conversion_part {
  register_word holders = 0, readers = 0;

  AXE_FN constexpr conversion_part(reach_counts const& counts, int reader)
      : readers(register_word{1} << reader) {
    for (register_word before = 0; before != readers;) {
      before = readers;
      for (register_word left = before; left != 0; left &= left - 1)
        for (int s = 0; s < warp_lanes; ++s)
          if (counts.chunk[lowest(left)][s] > 0) holders |= register_word{1} << s;
      for (int d = 0; d < warp_lanes; ++d)
        for (register_word left = holders; left != 0; left &= left - 1)
          if (counts.chunk[d][lowest(left)] > 0) readers |= register_word{1} << d;
    }
  }
};

/// What a lane can pass on.
AXE_LAZY_FN constexpr int room_to_pass(occupied_lanes const& lanes, int lane) {
  int const all = lanes.sub * lanes.rounds, must_leave = lanes.counts.alone[lane],
            lacks = lanes.counts.foreign[lane];
  int busy = must_leave < lacks ? lacks : must_leave;
  if (busy < lanes.sub) busy = lanes.sub;
  return all > busy ? all - busy : 0;
}

struct late_elements {
  occupied_lanes const& lanes;
  conversion_part part;
  int late = 0;  // where holders fill no word up
  int room = 0;  // of holders
  // Further words from holders: how many make so many elements less late, for so many places.
  short more[5][5]{};

  AXE_FN constexpr late_elements(occupied_lanes const& known, conversion_part const& of)
      : lanes(known), part(of) {
    for (int l = 0; l < warp_lanes; ++l) {
      if ((part.readers >> l & 1) != 0) read(l);
      if ((part.holders >> l & 1) != 0) room += room_to_pass(lanes, l);
    }
  }

  /// Lane d reads the fullest words of holders first: free of charge as long as the words that are
  /// left hold the rest.
  AXE_FN constexpr void read(int d) {
    int const sub = lanes.sub;
    int words[5]{};  // of so many elements
    for (short n : lanes.counts.chunk[d]) {
      words[sub] += n / sub;
      if (n % sub > 0) ++words[n % sub];
    }
    int rest = lanes.counts.foreign[d], left = lanes.rounds, filled = 0;
    int free_rest = rest;
    for (int n = sub; n > 0; --n)
      for (; words[n] > 0 && left > 0; --words[n]) {
        rest -= n;
        --left;
        int const places = rest - sub * left;
        if (places <= 0) {
          free_rest = rest;
          continue;
        }
        ++more[n][places - filled];
        filled = places;
      }
    late += free_rest;
  }

  /// The fewest late elements.
  AXE_FN constexpr int least() const {
    int fewest = late, places = room;
    bool used[5][5]{};
    while (places > 0) {
      int gain = 0, cost = 1;
      for (int n = 1; n <= lanes.sub; ++n)
        for (int c = 1; c <= lanes.sub; ++c)
          if (more[n][c] > 0 && !used[n][c] && n * cost > gain * c) {
            gain = n;
            cost = c;
          }
      if (gain == 0) break;
      used[gain][cost] = true;
      int const filled = more[gain][cost] * cost < places ? more[gain][cost] * cost : places;
      fewest -= filled * gain / cost;
      places -= filled;
    }
    return fewest;
  }

  /// Elements that can be under way, a count for each round; -1 where more must have arrived than
  /// can have left.
  AXE_FN constexpr integer most_under_way() const {
    integer sum = 0;
    for (int t = 1; t < lanes.rounds; ++t) {
      integer now = 0;
      for (int l = 0; l < warp_lanes; ++l) {
        if ((part.holders >> l & 1) != 0) {
          int const must_leave = lanes.counts.alone[l], in_time = lanes.sub * t;
          now += must_leave < in_time ? must_leave : in_time;
        }
        if ((part.readers >> l & 1) == 0) continue;
        int lacks = lanes.counts.foreign[l];
        for (int later = t; later < lanes.rounds; ++later) lacks -= lanes.most[later][l];
        now -= lacks > 0 ? lacks : 0;
      }
      if (now < 0) return -1;
      sum += now;
    }
    return sum;
  }
};

/// Is there time and room for all that is late?
AXE_LAZY_FN constexpr bool late_elements_fit(occupied_lanes const& lanes) {
  int sent = 0, lacked = 0, room = 0;
  register_word readers = 0;
  for (int l = 0; l < warp_lanes; ++l) {
    sent += lanes.counts.alone[l];
    lacked += lanes.counts.foreign[l];
    room += room_to_pass(lanes, l);
    if (lanes.counts.foreign[l] > 0) readers |= register_word{1} << l;
  }
  if (sent != lacked) return true;
  while (readers != 0) {
    conversion_part const part(lanes.counts, lowest(readers));
    late_elements const elements(lanes, part);
    int const late = elements.least();
    if (late > elements.most_under_way()) return false;
    room -= late;
    readers &= ~part.readers;
  }
  return room >= 0;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
