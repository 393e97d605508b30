// SPDX-License-Identifier: MIT
// Prices the words that lanes send and the lanes that they read.
//
//     price = (unit + history) * (1 + pressure / 64 * excess)         at most highest_price
//
// The excess of a word is its number of elements beyond 32 / width. The excess of a read of lane l
// is the number of elements that the reader reads from other lanes in this round.
#pragma once

#include <axe/convert/engine/warp_exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct congestion {
  struct resource {
    int uses = 0;  // elements
    int history = 0;
    int price_of_use = 0;
  };
  static constexpr int most_rounds = 40;
  static constexpr int unit = 1024;
  static constexpr int price_of_read_lane = 51;
  static constexpr int conflict_price = 1000;
  static constexpr int most_pressure = 200;
  static constexpr int highest_price = 1 << 23;

  int rounds;
  int word_elements;
  int pressure = 32;
  resource word[most_rounds][warp_lanes]{};
  resource read[most_rounds][warp_lanes]{};
  int uses[most_rounds][warp_lanes][warp_lanes]{};  // elements that `to` reads from `from`
  register_word used[most_rounds][warp_lanes]{};    // lanes that `to` reads

  AXE_FN constexpr congestion(int round_count, int of_word)
      : rounds(round_count), word_elements(of_word) {
    set_all_prices();
  }

  AXE_FN static constexpr int price(int history, int excess, int pressure) {
    integer const all = (integer{unit} + history) * (64 + (excess > 0 ? pressure * excess : 0));
    return static_cast<int>(smaller(all / 64, highest_price));
  }
  AXE_FN constexpr void set_prices(int t, int l) {
    resource &sends = word[t][l], &reads = read[t][l];
    sends.price_of_use = price(sends.history, sends.uses + 1 - word_elements, pressure);
    reads.price_of_use = price(reads.history, reads.uses, pressure);
  }
  AXE_FN constexpr void set_all_prices() {
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) set_prices(t, l);
  }

  AXE_FN constexpr void add(int t, int from, int to, int change, bool adds_to_word) {
    register_word const bit = register_word{1} << from;
    int const n = uses[t][to][from] += change;
    used[t][to] = n > 0 ? used[t][to] | bit : used[t][to] & ~bit;
    read[t][to].uses += change;
    if (adds_to_word) word[t][from].uses += change;
    set_prices(t, to);
    set_prices(t, from);
  }

  AXE_FN constexpr int reading_price(int t, int to, int from) const {
    resource const& reads = read[t][to];
    if ((used[t][to] >> from & 1) == 0) return reads.price_of_use;
    int const others = reads.uses - uses[t][to][from];
    return price_of_read_lane + price(reads.history, others, pressure) -
           price(reads.history, 0, pressure);
  }

  AXE_FN constexpr bool reads_several(int t, int lane) const {
    return (used[t][lane] & (used[t][lane] - 1)) != 0;
  }
  AXE_FN constexpr bool in_conflict(int t, int from, int to) const {
    return reads_several(t, to) || word[t][from].uses > word_elements;
  }

  /// False if no word and no read is in conflict.
  AXE_FN constexpr bool raise_prices() {
    bool any = false;
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        int const excess = word[t][l].uses > word_elements ? word[t][l].uses - word_elements : 0;
        word[t][l].history += conflict_price * excess;
        read[t][l].history += conflict_price * reads_several(t, l);
        any = any || excess > 0 || reads_several(t, l);
      }
    pressure += pressure < most_pressure ? pressure / 15 : 0;
    if (any) set_all_prices();
    return any;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
