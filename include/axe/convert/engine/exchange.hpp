// SPDX-License-Identifier: MIT
// Rounds of shuffles, and the program that executes them.
//
//     round k     lane l sends a word of up to 32 / width elements and reads the word of one lane
//     at the end  lane l builds its target words from its own and received words
#pragma once

#include <axe/convert/engine/program.hpp>
#include <axe/convert/engine/warp_exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct exchange_round {
  bool own;                  // no shuffle: each lane uses the word that it packs
  int reads[warp_lanes];     // 1 + lane, or 0
  int sends[warp_lanes][4];  // 1 + element, by position in the word, or 0
};

using round_list = list<exchange_round, conversion_plan::most_words>;
using value_list = list<int, conversion_plan::most_words>;

/// For an element that a lane both holds and receives.
enum class prefer : bool { own, received };

/// Byte b of a value has the number 4 * value + b.
struct exchange_writer {
  warp_exchange const& x;
  round_list const& rounds;
  value_list const& words;
  program& to;
  value_list received{};  // by round

  AXE_FN constexpr int byte_of(int value, int position) const {
    return 4 * value + position * (4 / x.per_word);
  }
  AXE_FN constexpr int byte_of_slot(int slot) const {
    return byte_of(words[slot / x.per_word], slot % x.per_word);
  }
  AXE_FN constexpr int first_byte_of(int lane, int e, prefer first) const {
    int const slot = x.slot_of(lane, e);
    if (slot >= 0 && first == prefer::own) return byte_of_slot(slot);
    for (int k = 0; k < received.size(); ++k)
      if (int const s = rounds[k].reads[lane] - 1; s >= 0)
        for (int c = 0; c < x.per_word; ++c)
          if (rounds[k].sends[s][c] == e + 1) return byte_of(received[k], c);
    return byte_of_slot(slot);
  }
  AXE_FN constexpr void put(word_bytes& word, int lane, int position, int from) const {
    int const bytes = 4 / x.per_word;
    for (int i = 0; i < bytes; ++i) word.from[lane][position * bytes + i] = 1 + from + i;
  }

  AXE_FN constexpr int send(exchange_round const& round) {
    word_bytes packed{};
    bool read[warp_lanes]{};
    for (int s : round.reads)
      if (s != 0) read[s - 1] = true;
    for (int s = 0; s < warp_lanes; ++s)
      for (int c = 0; c < x.per_word && read[s]; ++c)
        if (int const e = round.sends[s][c] - 1; e >= 0)
          put(packed, s, c, first_byte_of(s, e, prefer::own));
    int const sent = to.build(packed);  // -1: no lane reads
    return round.own || sent < 0 ? sent : to.shuffle(sent, round.reads);
  }

  AXE_FN constexpr value_list write(prefer first) {
    for (exchange_round const& round : rounds) received.push(send(round));
    word_bytes wanted[conversion_plan::most_words]{};
    for (int d = 0; d < warp_lanes; ++d)
      for (int slot = 0; slot < x.target.slot_count; ++slot) {
        int const e = x.target.at(d, slot);
        if (e < 0) continue;
        bool const stays = first == prefer::own && x.source.at(d, slot) == e;
        put(wanted[slot / x.per_word], d, slot % x.per_word,
            stays ? byte_of_slot(slot) : first_byte_of(d, e, first));
      }
    value_list result;
    for (int w = 0; w < x.target.words(x.per_word); ++w) result.push(to.build(wanted[w]));
    return result;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
