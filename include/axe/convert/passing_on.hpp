// Who passes on what is late, and when: room in lanes that lie between a holder and a reader counts
// in full, other room less.
//
//     straight    a word of a lane that held something for its reader: it brings at most that; what is not brought straight is late
//     between     lane p held something for d, as did s, and p lacks something of s, or nothing at all: from s by p to d every word is straight
//     detour      a word that a lane which lacks something reads of one that held nothing for it: in place of a straight word, which brings n at least
//
// A late element takes a place of room_to_pass in each lane that passes it on. With u detours late
// + n * u elements are, so that
//
//     between            a place makes up for one late element
//     two lanes          that hold something and are not between pass one on in three rounds or more: each place makes up for a half
//     in a detour        one of c elements: 1 - n/c, and nothing in round 2, where no lane knows more than n for the reader
//
// Passing on takes time: let H hold and D lack something, N elements in all. After round t at most
// c * t * |H| have left, less what H passed on so far; at least N - c * (R - t) * |D| have arrived,
// and as many more as D must still read to pass on. So
//
//     under way + passed on by H till then + read by D to be passed on from then    <= c * t * |H| + c * (R - t) * |D| - N
//
// and the sum over t is what all places can take: R - 1 each in lanes of H and D, r in the r-th
// round from the end of lanes of H alone, r in round r of lanes of D alone, 1 in others. Where no
// choice of places makes up for all that is late in this time, R is too few: shown by a price of
// time. Only asked where each element is lacked by one lane: what several lack is passed on for all
// of them at once.
//
// Example: S[(2,8,8,2,2):(1@lane,4@lane,2@reg,16@reg,2@lane)] to
// S[(2,4,2,4,2,2,2):(1@lane,4@reg,2@lane,8@lane,4@lane,1@reg,2@reg)], 8 bits, takes 6 rounds. Lanes
// hold two bytes for each of eight lanes. In five rounds 160 bytes are late, and there is room for
// 160; but 64 of these places are in lanes that hold something for other lanes than those whose
// holders they read, and count by half.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/under_way.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct passing_on {
  static constexpr int detour = 0, holding = 1, between = 2, kinds = 3;  // of places

  occupied_lanes const& lanes;
  int sub, rounds;
  integer late = 0;
  int poorest;  // n
  register_word holders[warp_lanes]{},
      readers[warp_lanes]{};  // by lane: for it, and of what it holds
  integer time = 0;           // that all places can take, in halves
  integer places[kinds]
                [2 * occupied_lanes::most_rounds + 1]{};  // by the time that one takes, in halves

  AXE_FN constexpr explicit passing_on(occupied_lanes const& known)
      : lanes(known), sub(known.sub), rounds(known.rounds), poorest(known.sub) {
    integer elements = 0, holding_lanes = 0, lacking_lanes = 0;
    for (int d = 0; d < warp_lanes; ++d) {
      for (int s = 0; s < warp_lanes; ++s)
        if (lanes.counts.chunk[d][s] > 0) {
          holders[d] |= register_word{1} << s;
          readers[s] |= register_word{1} << d;
        }
      elements += lanes.counts.foreign[d];
      if (holders[d] != 0) read(d);
    }
    for (int l = 0; l < warp_lanes; ++l) {
      holding_lanes += readers[l] != 0 ? 1 : 0;
      lacking_lanes += holders[l] != 0 ? 1 : 0;
    }
    for (int t = 1; t < rounds; ++t)
      time += 2 * (sub * (t * holding_lanes + (rounds - t) * lacking_lanes) - elements);
    int const rounds_of_detours = rounds < 2 ? 0 : rounds - (pays_in_round_2() ? 1 : 2);
    for (int l = 0; l < warp_lanes; ++l) count_places(l, rounds_of_detours);
  }

  /// The fullest words that a lane can read straight, as if no two lanes held the same.
  AXE_FN constexpr void read(int d) {
    int words[5]{};
    for (short n : lanes.counts.chunk[d]) {
      words[sub] += n / sub;
      if (n % sub > 0) ++words[n % sub];
    }
    int lacks = lanes.counts.foreign[d], least = sub, left = rounds;
    for (int n = sub; n > 0; --n)
      for (; words[n] > 0 && left > 0; --words[n], --left) {
        least = n < lacks ? n : lacks;
        lacks -= least;
      }
    late += lacks;
    if (left > 0) least = 0;
    if (least < poorest) poorest = least;
  }

  AXE_FN constexpr bool is_between(int p) const {
    register_word const others = ~(register_word{1} << p),
                        asked = holders[p] != 0 ? holders[p] & others : others;
    for (register_word left = readers[p]; left != 0; left &= left - 1)
      if ((holders[lowest(left)] & asked) != 0) return true;
    return false;
  }

  /// Can a detour of round 2 be worth its cost? A lane knows one word for its reader by then; or
  /// the reader reads what it passes on, too.
  AXE_FN constexpr bool pays_in_round_2() const {
    for (int l = 0; l < warp_lanes; ++l) {
      if (lanes.counts.chunk[l][lanes.counts.order[l][0]] > poorest) return true;
      if (readers[l] != 0 && holders[l] != 0 && !is_between(l) && room_to_pass(lanes, l) > 0)
        return true;
    }
    return false;
  }

  AXE_FN constexpr void count_places(int l, int rounds_of_detours) {
    bool const holds = readers[l] != 0, lacks = holders[l] != 0;
    int const of = is_between(l) ? between : holds ? holding : detour;
    integer left = room_to_pass(lanes, l);
    if (!holds && left > integer{sub} * rounds_of_detours) left = integer{sub} * rounds_of_detours;
    if (holds && lacks) {
      places[of][of == between ? 2 * rounds - 2 : rounds - 1] += left;
    } else if (holds == lacks || of == holding) {
      places[of][2] += left;
    } else {
      for (int r = 1; left > 0; ++r, left -= sub) places[of][2 * r] += left < sub ? left : sub;
    }
  }

  /// What a place makes up for, in parts of 2c.
  AXE_FN constexpr integer worth(int of) const {
    integer const in_a_detour = 2 * (sub - poorest), by_two = rounds < 3 ? 0 : sub;
    return of == between ? 2 * sub : of == holding && by_two > in_a_detour ? by_two : in_a_detour;
  }

  /// The most that all places make up for, if time has a price of paid / per.
  AXE_FN constexpr integer most(integer paid, integer per) const {
    integer sum = paid * time;
    for (int of = 0; of < kinds; ++of)
      for (int t = 1; t <= 2 * rounds; ++t)
        if (integer const gain = worth(of) * per - paid * t; gain > 0) sum += gain * places[of][t];
    return sum;
  }

  /// Is there a way for all that is late? The prices are those at which a place is worth its time.
  AXE_FN constexpr bool fit() const {
    if (most(0, 1) < 2 * sub * late) return false;
    for (int of = 0; of < kinds; ++of)
      for (int t = 1; t <= 2 * rounds; ++t)
        if (places[of][t] > 0 && most(worth(of), t) < 2 * sub * late * t) return false;
    return true;
  }
};

AXE_LAZY_FN constexpr bool all_is_passed_on(occupied_lanes const& lanes) {
  return lanes.needs.most_readers > 1 || passing_on(lanes).fit();
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
