// No plan can do with fewer shuffles: what the layouts alone say about every lane, whatever the
// plan.
//
// A round hands each lane one word of at most c = 32 / width elements, sent by one lane. After R
// rounds
//     a lane has received at most c*R elements                               R >= foreign elements it needs / c
//     lanes H have sent at most c*R*|H| elements                             R >= elements held by lanes of H alone that others need / (c*|H|)
//     what a lane holds comes from at most 2^R lanes, its own counted        2^R > lanes that it needs something of
//     what one lane alone needs, and did not get straight from a holder, was received twice
//                                                                            sum over lanes of foreign + max(0, alone - straight(R)) <= 32*c*R
// where straight(R) is the most that R words straight from holders can bring. All are counted, none
// assumes powers of two. (What several lanes need may be passed on by one of them at no cost:
// S[(8,4,8):(4@lane,1@lane,1@reg)] to S[(4,2,2,2,4,2):(4@reg,1@lane,2@reg,1@reg,8@lane,2@lane)] +
// R[2:4@lane], 8 bits.)
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/schedule.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// What one lane needs of the others.
struct lane_needs {
  int foreign = 0;
  int alone = 0;              // of these, what no other lane needs
  int lanes = 0;              // that alone hold something of it
  short chunk[warp_lanes]{};  // elements that lane s could send it

  /// The most that `rounds` words straight from their holders can bring.
  AXE_FN constexpr int straight(int rounds, int sub) const {
    int in[5]{};  // words with so many elements
    for (short c : chunk) {
      in[sub] += c / sub;
      in[c % sub] += c % sub > 0 ? 1 : 0;
    }
    int brought = 0;
    for (int n = sub; n > 0; --n) {
      int const words = in[n] < rounds ? in[n] : rounds;
      brought += words * n;
      rounds -= words;
    }
    return brought < foreign ? brought : foreign;
  }
};

/// The least number of shuffles that turns `source` into `target`, as far as the counts above show
/// it. `times`: of so many such exchanges of whole words
/// together: two lanes that hold 3 words both send them in 2 rounds, and twice 3 words in 3.
AXE_LAZY_FN constexpr int shuffle_bound(warp_holding const& source, warp_holding const& target,
                                        int sub, int times = 1) {
  holders const where(source);
  lane_needs lanes[warp_lanes];
  register_word needed_by[warp_lanes * most_slots]{};
  int bound = 0;
  for (int d = 0; d < warp_lanes; ++d) {
    short needs[most_slots]{};
    lane_needs& mine = lanes[d];
    mine.foreign = needs_of(d, target, where, needs);
    register_word alone = 0;
    for (int i = 0; i < mine.foreign; ++i) {
      register_word const held = where.lanes[needs[i]];
      needed_by[needs[i]] |= register_word{1} << d;
      for (int s = 0; s < warp_lanes; ++s)
        if ((held >> s & 1) != 0) ++mine.chunk[s];
      if ((held & (held - 1)) == 0) alone |= held;
    }
    for (; alone != 0; alone &= alone - 1) ++mine.lanes;
    while (bound * sub < times * mine.foreign) ++bound;
    while (bound < 6 && 1 << bound <= mine.lanes) ++bound;
  }
  list<register_word, 64> sets;  // of lanes that hold something alone
  for (int e = 0; e < source.elements; ++e) {
    register_word const readers = needed_by[e], held = where.lanes[e];
    if (readers == 0) continue;
    if ((readers & (readers - 1)) == 0) ++lanes[lowest(readers)].alone;
    bool known = false;
    for (register_word set : sets) known = known || set == held;
    if (!known) sets.push(held);
  }
  for (register_word set : sets) {
    int inside = 0, members = 0;
    for (int e = 0; e < source.elements; ++e)
      inside += needed_by[e] != 0 && (where.lanes[e] & ~set) == 0;
    for (register_word rest = set; rest != 0; rest &= rest - 1) ++members;
    while (bound * sub * members < times * inside) ++bound;
  }
  for (bool enough = sub == 1; !enough; bound += enough ? 0 : 1) {
    int received = 0;
    for (lane_needs const& mine : lanes) {
      int const straight = mine.straight(bound, sub);
      received += mine.foreign + (mine.alone > straight ? mine.alone - straight : 0);
    }
    enough = received <= warp_lanes * sub * bound;
  }
  return bound;
}

/// What the growth of knowledge allows: how many elements that a lane needs can be in one word of
/// another lane in some round.
struct reach_counts {
  short chunk[warp_lanes][warp_lanes]{};  // elements that a lane needs, by lane that holds them
  short order[warp_lanes][warp_lanes]{};  // those lanes, most first
  short foreign[warp_lanes]{};
  short alone[warp_lanes]{};  // elements that this lane alone holds and others need

  AXE_FN constexpr reach_counts(warp_holding const& source, warp_holding const& target,
                                holders const& where) {
    bool needed[warp_lanes * most_slots]{};
    short needs[most_slots]{};
    for (int d = 0; d < warp_lanes; ++d) {
      int const n = needs_of(d, target, where, needs);
      foreign[d] = static_cast<short>(n);
      for (int i = 0; i < n; ++i) {
        needed[needs[i]] = true;
        for (register_word held = where.lanes[needs[i]]; held != 0; held &= held - 1)
          ++chunk[d][lowest(held)];
      }
      for (short s = 0; s < warp_lanes; ++s) {
        int at = s;
        for (; at > 0 && chunk[d][order[d][at - 1]] < chunk[d][s]; --at)
          order[d][at] = order[d][at - 1];
        order[d][at] = s;
      }
    }
    for (int e = 0; e < source.elements; ++e)
      if (register_word const held = where.lanes[e]; needed[e] && (held & (held - 1)) == 0)
        ++alone[lowest(held)];
  }

  /// The most that lane p can know, before round `at` of `rounds`, of what lane d lacks, and put
  /// up.
  AXE_FN constexpr int known(int d, int p, int at, int rounds, int sub) const {
    int room = sub * rounds - alone[p];
    if (room > sub * (at - 1)) room = sub * (at - 1);
    int passed = 0, lanes = at > 6 ? warp_lanes : (1 << (at - 1)) - 1;
    for (int i = 0; i < warp_lanes && lanes > 0 && passed < room; ++i) {
      int const s = order[d][i];
      if (s == p || s == d) continue;
      if (chunk[d][s] == 0) break;
      passed += chunk[d][s];
      --lanes;
    }
    return chunk[d][p] + (passed < room ? passed : room);
  }
  /// The same of any lane, as far as a word holds it.
  AXE_FN constexpr int most(int d, int at, int rounds, int sub) const {
    int best = 0;
    for (int p = 0; p < warp_lanes && best < sub; ++p)
      if (int const all = p == d ? 0 : known(d, p, at, rounds, sub); all > best) best = all;
    return best < sub ? best : sub;
  }
};

/// The same with what the growth of knowledge adds. Costs more: only asked where a plan does not
/// meet the counts.
AXE_LAZY_FN constexpr int reach_bound(warp_holding const& source, warp_holding const& target,
                                      holders const& where, int sub, int bound) {
  if (sub == 1) return bound;
  reach_counts const counts(source, target, where);
  for (bool enough = false; !enough; bound += enough ? 0 : 1) {
    enough = true;
    for (int d = 0; d < warp_lanes && enough; ++d) {
      int brought = 0, before = 0;
      for (int at = 1; at <= bound && brought < counts.foreign[d]; ++at) {
        if (before < sub)
          before = counts.most(d, at, bound, sub);  // a full word once, full words from then on
        brought += before;
      }
      enough = brought >= counts.foreign[d];
    }
  }
  return bound;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
