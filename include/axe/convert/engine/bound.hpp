// SPDX-License-Identifier: MIT
// A lower bound on the shuffles of a conversion.
//
//     S[4:1@lane] to S[4:1@reg] + 1@lane, 8 bits      2: lane 1 needs elements of four lanes
#pragma once

#include <axe/convert/engine/holding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A lane reads at most `word` elements in the first round. This doubles each round, up to
/// `per_word`.
AXE_LAZY_FN constexpr int rounds_to_read(int lacked, int word, int per_word) {
  int rounds = 0;
  for (; lacked > 0; ++rounds) {
    if (word > per_word) word = per_word;
    lacked -= word;
    word *= 2;
  }
  return rounds;
}

/// The bound of `times` equal exchanges, which may share rounds.
AXE_LAZY_FN constexpr int shuffle_bound(warp_exchange const& x, int times = 1) {
  int lacked[warp_lanes]{};                  // elements, by lane
  int lacked_of[warp_lanes][warp_lanes]{};   // by lane, by holder
  register_word sole_holders[warp_lanes]{};  // by reader
  list<register_word, 64> holder_sets;
  for (int e = 0; e < x.elements; ++e) {
    register_word const held = x.holders[e];
    if (x.readers[e] == 0) continue;
    for (register_word readers = x.readers[e]; readers != 0; readers &= readers - 1) {
      int const d = lowest(readers);
      ++lacked[d];
      for (register_word h = held; h != 0; h &= h - 1) ++lacked_of[d][lowest(h)];
      if ((held & (held - 1)) == 0) sole_holders[d] |= held;
    }
    if (!holder_sets.contains(held)) holder_sets.push(held);
  }
  int bound = 0;
  for (int d = 0; d < warp_lanes; ++d) {
    int word = 0;
    for (int n : lacked_of[d])
      if (times * n > word) word = times * n;
    int const rounds = rounds_to_read(times * lacked[d], word, x.per_word);
    if (rounds > bound) bound = rounds;
    while (bound < 6 && 1 << bound <= count_bits(sole_holders[d])) ++bound;
  }
  for (register_word set : holder_sets) {
    int inside = 0;
    for (int e = 0; e < x.elements; ++e) inside += x.readers[e] != 0 && (x.holders[e] & ~set) == 0;
    while (bound * x.per_word * count_bits(set) < times * inside) ++bound;
  }
  return bound;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
