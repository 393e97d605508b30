// SPDX-License-Identifier: MIT
// A lower bound on the shuffles of a conversion, whatever the plan.
//
// A round gives each lane one word of at most c = 32 / width elements of one other lane. After R
// rounds
//     lanes H have sent at most c * R * |H| elements that only they held before
//     a lane has heard of at most 2^R lanes, itself included
//     a word of round t has at most 2^(t-1) * m new elements, m: the most that a lane had at first
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/holding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The bound for an exchange that runs `times` times. If two lanes hold the same 3 words, they send
/// them in 2 rounds, and twice in 3 rounds.
AXE_LAZY_FN constexpr int shuffle_bound(warp_exchange const& x, int times = 1) {
  int lacked[warp_lanes]{}, chunk[warp_lanes][warp_lanes]{};  // by reader; by reader and holder
  register_word sole_holders[warp_lanes]{};
  list<register_word, 64> sets;  // of holders
  for (int e = 0; e < x.elements; ++e) {
    register_word const held = x.holders[e];
    if (x.readers[e] == 0) continue;
    for (register_word readers = x.readers[e]; readers != 0; readers &= readers - 1) {
      int const d = lowest(readers);
      ++lacked[d];
      for (register_word h = held; h != 0; h &= h - 1) ++chunk[d][lowest(h)];
      if ((held & (held - 1)) == 0) sole_holders[d] |= held;
    }
    bool known = false;
    for (register_word set : sets) known = known || set == held;
    if (!known) sets.push(held);
  }
  int bound = 0;
  for (int d = 0; d < warp_lanes; ++d) {
    int word = 0, rounds = 0;
    for (int n : chunk[d])
      if (times * n > word) word = times * n;
    for (int left = times * lacked[d]; left > 0; ++rounds) {
      if (word > x.sub) word = x.sub;
      left -= word;
      word *= 2;
    }
    if (rounds > bound) bound = rounds;
    while (bound < 6 && 1 << bound <= count_bits(sole_holders[d])) ++bound;
  }
  for (register_word set : sets) {
    int inside = 0;
    for (int e = 0; e < x.elements; ++e) inside += x.readers[e] != 0 && (x.holders[e] & ~set) == 0;
    while (bound * x.sub * count_bits(set) < times * inside) ++bound;
  }
  return bound;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
