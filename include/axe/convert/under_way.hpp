// What is under way: elements that have left the lane that held them, and have not arrived.
//
//     after round t have left     at most min(c * t, what must leave) of each lane
//     have arrived                at least what each lane lacks, less the most that it can gain in the rounds that are left
//
// The difference is the most that can be under way after round t; an element that does not arrive in the round in which it leaves is under way after at least one. Such late
// elements are at least what lanes cannot read straight from the holders: a word read from a holder brings what that lane held for the reader, and is filled up
// with late elements only as far as holders have places beside what must leave them. Example: S[(3,3,5):(1@lane,5@reg,1@reg)] to
// S[(3,3,5):(5@reg,1@lane,1@reg)], 16 bits: three lanes lack five elements of each of the two others. Five rounds have room for ten elements, if every word is full and
// nothing is ever under way; but five words straight from two lanes bring nine. It takes six.
// Only asked where each element is held by one lane and lacked by one.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/occupied.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

struct late_elements {
  occupied_lanes const& lanes;
  int late = 0;   // where holders fill no word up
  int spare = 0;  // places of holders beside what must leave them
  // Further words from holders: how many make so many elements less late, for so many places.
  short more[5][5]{};

  AXE_FN constexpr explicit late_elements(occupied_lanes const& known) : lanes(known) {
    for (int l = 0; l < warp_lanes; ++l) {
      if (lanes.counts.foreign[l] > 0) read(l);
      if (lanes.counts.alone[l] > 0) spare += lanes.sub * lanes.rounds - lanes.counts.alone[l];
    }
  }

  /// Lane d reads the fullest words of holders first: free of charge as long as the words that are left hold the rest.
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
    int fewest = late, places = spare;
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
      int const room = more[gain][cost] * cost < places ? more[gain][cost] * cost : places;
      fewest -= room * gain / cost;
      places -= room;
    }
    return fewest;
  }

  /// Elements that can be under way, a count for each round; -1 where more must have arrived than can have left.
  AXE_FN constexpr integer most_under_way() const {
    integer sum = 0;
    for (int t = 1; t < lanes.rounds; ++t) {
      integer now = 0;
      for (int l = 0; l < warp_lanes; ++l) {
        int const must_leave = lanes.counts.alone[l], in_time = lanes.sub * t;
        now += must_leave < in_time ? must_leave : in_time;
        int lacks = lanes.counts.foreign[l];
        for (int later = t; later < lanes.rounds; ++later) lacks -= lanes.most[later][l];
        now -= lacks > 0 ? lacks : 0;
      }
      if (now < 0) return -1;
      sum += now;
    }
    return sum;
  }

  AXE_FN constexpr bool enough() const {
    int sent = 0, lacked = 0;
    for (short n : lanes.counts.alone) sent += n;
    for (short n : lanes.counts.foreign) lacked += n;
    return sent != lacked || least() <= most_under_way();
  }
};

}  // namespace axe::inline AXE_NAMESPACE::detail
