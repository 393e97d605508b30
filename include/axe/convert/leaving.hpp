// What has to leave and what has to arrive: a bound on shuffles that no single lane shows.
//
//     every element that one lane alone holds and others need leaves it once; every element arrives once at each lane that lacks it
//     a round lets the lanes S put up c * |S| elements, a slot each, those that leave for the first time or others
//     a lane that reads a lane of S gets at most what that lane held at first, and as much more as slots of S are given to others
//     in the last round what leaves must arrive too
//
// S: the lanes with the most that must leave, D: those with the most that must arrive, each down to
// every count that occurs; leaving and arriving weigh 1 to 4, or one of them nothing. Where R
// rounds cannot make the sum, R is too few. Example: 8x8 halves of 8 lanes, each with one half for
// each other, take 5 rounds, though every lane has room for 4.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/entering.hpp>
#include <axe/convert/passing_on.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct leaving_counts {
  occupied_lanes const& lanes;
  reach_counts const& counts;
  int const sub, rounds, most_readers;

  AXE_FN constexpr explicit leaving_counts(occupied_lanes const& known)
      : lanes(known),
        counts(known.counts),
        sub(known.sub),
        rounds(known.rounds),
        most_readers(known.needs.most_readers) {}

  /// What each lane can get in one round: from S what it held at first, from others, in all.
  struct arrivals {
    int own[warp_lanes]{}, others[warp_lanes]{}, most[warp_lanes]{};
  };

  /// The most that lanes gain by reading lanes outside S, of which only `room` elements arrive: the
  /// best worth for each element first, the last in part.
  AXE_FN static constexpr integer best_gain(arrivals const& of, integer const* gain, integer room) {
    bool taken[warp_lanes]{};
    integer sum = 0;
    while (room > 0) {
      int best = -1;
      for (int d = 0; d < warp_lanes; ++d) {
        if (taken[d] || of.others[d] == 0 || gain[d] <= 0) continue;
        if (best < 0 || gain[d] * of.others[best] > gain[best] * of.others[d]) best = d;
      }
      if (best < 0) break;
      taken[best] = true;
      integer const fits = room < of.others[best] ? room : of.others[best];
      sum += (gain[best] * fits + of.others[best] - 1) / of.others[best];
      room -= fits;
    }
    return sum;
  }

  /// The most that one round can add: leaving weighs `leave`, arriving at a lane of D weighs
  /// `arrive`.
  AXE_FN constexpr integer most_of_round(int t, register_word senders, register_word needing,
                                         integer leave, integer arrive) const {
    arrivals of;
    int sending = 0;
    integer own = 0, most = 0;
    integer gain[warp_lanes]{}, last_gain[warp_lanes]{};
    integer last = 0;
    for (int d = 0; d < warp_lanes; ++d) {
      sending += static_cast<int>(senders >> d & 1);
      for (register_word left = lanes.may_read[t][d] & lanes.knows[t][d]; left != 0;
           left &= left - 1) {
        int const p = lowest(left), all = lanes.in_word(t, d, p);
        int const first = counts.chunk[d][p] < sub ? counts.chunk[d][p] : sub;
        of.most[d] = all > of.most[d] ? all : of.most[d];
        if ((senders >> p & 1) != 0)
          of.own[d] = first > of.own[d] ? first : of.own[d];
        else
          of.others[d] = all > of.others[d] ? all : of.others[d];
      }
      last += leave * of.own[d];
      if ((needing >> d & 1) == 0) continue;
      own += of.own[d];
      most += of.most[d];
      last += arrive * of.own[d];
      gain[d] = of.others[d] - of.own[d];
      last_gain[d] = arrive * of.others[d] - (leave + arrive) * of.own[d];
    }
    integer const room = integer{1} * most_readers * sub * (warp_lanes - sending);
    integer const base = own + best_gain(of, gain, room);
    last += best_gain(of, last_gain, room);
    integer best = 0;
    for (integer given = 0; given <= sub * sending; ++given) {
      integer const passed = most_readers * given;
      integer sum =
          leave * (sub * sending - given) + arrive * (most < base + passed ? most : base + passed);
      integer const end = last + arrive * (passed < most - own ? passed : most - own);
      if (t + 1 == rounds && end < sum) sum = end;
      best = sum > best ? sum : best;
    }
    return best;
  }

  AXE_FN constexpr bool enough(register_word senders, register_word needing, integer leave,
                               integer arrive) const {
    integer needed = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      if ((senders >> l & 1) != 0) needed += leave * counts.alone[l];
      if ((needing >> l & 1) != 0) needed += arrive * counts.foreign[l];
    }
    for (int t = 0; t < rounds && needed > 0; ++t)
      needed -= most_of_round(t, senders, needing, leave, arrive);
    return needed <= 0;
  }

  AXE_FN static constexpr register_word at_least(short const* counted, int least) {
    register_word lanes = 0;
    for (int l = 0; l < warp_lanes; ++l)
      if (counted[l] >= least) lanes |= register_word{1} << l;
    return lanes;
  }

  AXE_FN constexpr bool enough() const {
    constexpr signed char weights[9][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 1}, {1, 3},
                                           {4, 1}, {1, 4}, {1, 0}, {0, 1}};
    for (int s = 0; s < warp_lanes; ++s)
      for (int d = 0; d < warp_lanes; ++d) {
        bool known = counts.alone[s] == 0 || counts.foreign[d] == 0;
        for (int l = 0; l < s; ++l) known = known || counts.alone[l] == counts.alone[s];
        for (int l = 0; l < d; ++l) known = known || counts.foreign[l] == counts.foreign[d];
        if (known) continue;
        register_word const senders = at_least(counts.alone, counts.alone[s]);
        register_word const needing = at_least(counts.foreign, counts.foreign[d]);
        for (auto const& w : weights)
          if (!enough(senders, needing, w[0], w[1])) return false;
      }
    return true;
  }
};

/// The least number of rounds that are not too few by this count, from `bound` on.
AXE_LAZY_FN constexpr int leaving_bound(warp_holding const& source, warp_holding const& target,
                                        holders const& where, int sub, int bound) {
  if (sub == 1) return bound;
  reach_counts const counts(source, target, where);
  common_needs const needs(target, where);
  entering_elements const entering(source, target, where, counts, needs);
  for (; bound <= occupied_lanes::most_rounds; ++bound)
    if (occupied_lanes const lanes(counts, needs, sub, bound);
        lanes.enough && entering.fit(lanes) && late_elements_fit(lanes) &&
        all_is_passed_on(lanes) && leaving_counts(lanes).enough())
      break;
  return bound;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
