// Finds the least number of rounds in which a few lanes exchange their elements, by trying every
// plan. It is the oracle of conversion plans and their bounds, and includes no header of the
// library.
//
// In a round every lane sends at most `width` of the elements that it knows, and reads one lane.
// Lanes may pass elements on. The answer is 0, 1, 2, or 3 for more than 2.
#pragma once

#include "registers.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace few_rounds {

using set = std::uint32_t;  // bit x is set if the set has element x

struct problem {
  std::vector<set> holds, needs;  // one set for each lane
  int width = 1;                  // the number of elements in a word
};

/// The elements of `bits` bits that lanes hold in one register layout and need in another.
inline problem problem_of(registers::side const& from, registers::side const& to, int bits,
                          int lanes) {
  problem p;
  p.width = 32 / bits;
  p.holds.resize(static_cast<std::size_t>(lanes));
  p.needs.resize(static_cast<std::size_t>(lanes));
  for (int x = 0; x < from.size(); ++x) {
    for (registers::spot const& s : registers::places(from, x))
      p.holds[static_cast<std::size_t>(s.first)] |= 1u << x;
    for (registers::spot const& s : registers::places(to, x))
      p.needs[static_cast<std::size_t>(s.first)] |= 1u << x;
  }
  return p;
}

inline bool satisfied(std::vector<set> const& knows, problem const& p) {
  for (std::size_t l = 0; l < knows.size(); ++l)
    if ((p.needs[l] & ~knows[l]) != 0) return false;
  return true;
}

/// True if one round is enough, in which each lane reads all elements that it lacks from one lane.
inline bool one_round(std::vector<set> const& knows, problem const& p, std::vector<set>& sent,
                      std::size_t lane = 0) {
  if (lane == knows.size()) return true;
  set const missing = p.needs[lane] & ~knows[lane];
  if (missing == 0) return one_round(knows, p, sent, lane + 1);
  for (std::size_t s = 0; s < knows.size(); ++s) {
    set const before = sent[s];
    if (s == lane || (missing & ~knows[s]) != 0 || std::popcount(before | missing) > p.width)
      continue;
    sent[s] |= missing;
    if (one_round(knows, p, sent, lane + 1)) return true;
    sent[s] = before;
  }
  return false;
}
inline bool one_round(std::vector<set> const& knows, problem const& p) {
  std::vector<set> sent(knows.size(), 0);
  return one_round(knows, p, sent);
}

/// All sets of known elements that a lane may send in one word. Only full words are tried.
inline std::vector<set> words_of(set known, int width) {
  std::vector<set> all;
  if (std::popcount(known) <= width) return {known};
  for (set s = known; s != 0; s = (s - 1) & known)
    if (std::popcount(s) == width) all.push_back(s);
  return all;
}

/// True if two rounds are enough: tries every choice of words and of lanes to read in the first
/// one.
inline bool two_rounds(problem const& p, std::vector<set>& words, std::size_t lane = 0) {
  std::size_t const lanes = p.holds.size();
  if (lane < lanes) {
    for (set w : words_of(p.holds[lane], p.width)) {
      words[lane] = w;
      if (two_rounds(p, words, lane + 1)) return true;
    }
    return false;
  }
  std::vector<std::size_t> from(lanes, 0);
  for (;;) {
    std::vector<set> knows = p.holds;
    for (std::size_t l = 0; l < lanes; ++l) knows[l] |= words[from[l]];
    if (one_round(knows, p)) return true;
    std::size_t l = 0;
    while (l < lanes && ++from[l] == lanes) from[l++] = 0;
    if (l == lanes) return false;
  }
}

inline int least(problem const& p) {
  if (satisfied(p.holds, p)) return 0;
  if (one_round(p.holds, p)) return 1;
  std::vector<set> words(p.holds.size(), 0);
  return two_rounds(p, words) ? 2 : 3;
}

}  // namespace few_rounds
