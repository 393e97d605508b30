// What lanes have no time to pass on: who must gain something in a round takes little else in it,
// and can hand on little else later.
//
//     most      lane d can gain in round t at most what the best of the lanes that it may read then knows of what d lacks, and a word holds
//     least     what d lacks, less the most of all other rounds: so much it must gain in round t, and only lanes that know as much may be read
//     known     of what d lacks, lane p knows before round t what it held, and of each word that it read what has room beside p's own least
//
// Each makes the others smaller, until nothing changes. R is too few where a lane cannot gain what
// it lacks. Example: S[6:1@lane] to S[(2,3):(3@lane,1@reg)] + R[3:1@lane] + 3@lane, 16 bits, takes
// 3 rounds. In two, lane 6 reads one of the elements 3, 4, 5 and then a word of the two others;
// only one of lanes 3, 4, 5 could know two of these, but each lacks the elements 0, 1, 2, reads one
// of them first, and lanes 0, 1, 2 hold one each.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/bound.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// What lanes lack together.
struct common_needs {
  short common[warp_lanes][warp_lanes]{};  // elements that both lack
  int most_readers = 1;                    // lanes that lack the same element

  AXE_FN constexpr common_needs(warp_holding const& target, holders const& where) {
    register_word lacked[warp_lanes * most_slots]{};
    for (int d = 0; d < warp_lanes; ++d)
      for (int slot = 0; slot < target.slots; ++slot)
        if (int const e = target.at(d, slot); e >= 0 && (where.lanes[e] >> d & 1) == 0)
          lacked[e] |= register_word{1} << d;
    for (register_word lanes : lacked) {
      int readers = 0;
      for (register_word left = lanes; left != 0; left &= left - 1) {
        ++readers;
        for (register_word others = lanes; others != 0; others &= others - 1)
          ++common[lowest(left)][lowest(others)];
      }
      most_readers = readers > most_readers ? readers : most_readers;
    }
  }
};

struct occupied_lanes {
  static constexpr int most_rounds = 40;

  reach_counts const& counts;
  common_needs const& needs;
  int sub, rounds;
  bool enough = true;  // no lane shows that the rounds are too few
  // Before a round: how much of what a lane lacks is known, by the lane that knows it; and the
  // lanes that know any of it.
  short known[most_rounds][warp_lanes][warp_lanes]{};
  register_word knows[most_rounds][warp_lanes]{};
  register_word may_read[most_rounds][warp_lanes]{};
  signed char most[most_rounds][warp_lanes]{}, least[most_rounds][warp_lanes]{};

  AXE_FN constexpr occupied_lanes(reach_counts const& counted, common_needs const& lacked,
                                  int elements_of_word, int number_of_rounds)
      : counts(counted), needs(lacked), sub(elements_of_word), rounds(number_of_rounds) {
    for (int t = 0; t < rounds; ++t)
      for (int d = 0; d < warp_lanes; ++d) {
        may_read[t][d] = ~(register_word{1} << d);
        most[t][d] = static_cast<signed char>(sub);
      }
    for (bool changed = true; changed && enough;) {
      learn();
      changed = false;
      for (int d = 0; d < warp_lanes && enough; ++d) enough = occupy(d, changed);
    }
  }

  /// What a word of lane p can hold for lane d in round t.
  AXE_FN constexpr int in_word(int t, int d, int p) const {
    if ((may_read[t][d] >> p & 1) == 0) return 0;
    return known[t][d][p] < sub ? known[t][d][p] : sub;
  }

  /// The most of what d lacks that p gains in round t.
  AXE_FN constexpr int gain(int t, int d, int p) const {
    int const taken = least[t][p] - needs.common[d][p], room = taken > 0 ? sub - taken : sub;
    int best = 0;
    for (register_word left = may_read[t][p] & knows[t][d]; left != 0 && best < room;
         left &= left - 1) {
      int const all = known[t][d][lowest(left)], fits = all < room ? all : room;
      best = fits > best ? fits : best;
    }
    return best;
  }

  /// What lane d lacks is of no use to it in lane d, and a lane that lacks nothing is not asked.
  AXE_FN constexpr void learn() {
    for (int t = 0; t < rounds; ++t)
      for (int d = 0; d < warp_lanes; ++d) {
        knows[t][d] = 0;
        for (int p = 0; p < warp_lanes && counts.foreign[d] > 0; ++p) {
          if (p == d) continue;
          int const growth = t == 0 ? counts.chunk[d][p] : known[t - 1][d][p] + gain(t - 1, d, p);
          int const most_known = counts.known(d, p, t + 1, rounds, sub);
          known[t][d][p] = static_cast<short>(growth < most_known ? growth : most_known);
          if (known[t][d][p] > 0) knows[t][d] |= register_word{1} << p;
        }
      }
  }

  /// False where lane d cannot gain what it lacks.
  AXE_FN constexpr bool occupy(int d, bool& changed) {
    int all = 0;
    for (int t = 0; t < rounds; ++t) {
      int best = 0;
      for (register_word left = may_read[t][d] & knows[t][d]; left != 0 && best < most[t][d];
           left &= left - 1)
        if (int const fits = in_word(t, d, lowest(left)); fits > best) best = fits;
      changed = changed || best < most[t][d];
      if (best < most[t][d]) most[t][d] = static_cast<signed char>(best);
      all += most[t][d];
    }
    if (all < counts.foreign[d]) return false;
    for (int t = 0; t < rounds; ++t) {
      int const must = counts.foreign[d] - (all - most[t][d]);
      if (must <= 0) continue;
      register_word able = 0;
      for (register_word left = may_read[t][d] & knows[t][d]; left != 0; left &= left - 1)
        if (in_word(t, d, lowest(left)) >= must) able |= left & (0 - left);
      changed = changed || must > least[t][d] || able != may_read[t][d];
      least[t][d] = static_cast<signed char>(must);
      may_read[t][d] = able;
    }
    return true;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
