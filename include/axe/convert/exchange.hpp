// Rounds of shuffles, and the program that they make: what each lane packs into a word, whom each
// lane reads, what it then puts together.
//
//     round k        lane s sends the slots packet(s, 0 …), lane d reads lane from(d)
//     afterwards     every slot of the target is an element of the lane's own registers, or of a word that it read
#pragma once

#include <axe/convert/holding.hpp>
#include <axe/convert/program.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct exchange_round {
  bool own;  // every lane reads itself: packed as the others are, but not shuffled
  signed char reads[warp_lanes];  // 1 + the lane that is read; 0: nothing that is needed
  short sends[warp_lanes][4];     // 1 + slots of the source; 0: nothing

  AXE_FN constexpr int from(int lane) const { return reads[lane] - 1; }
  AXE_FN constexpr int packet(int lane, int position) const { return sends[lane][position] - 1; }
};

using round_list = list<exchange_round, conversion_plan::most_words>;
using value_list = list<short, conversion_plan::most_words>;

/// 4 * value + byte of byte i of slot s, where word w of a lane is the value words[w].
AXE_LAZY_FN constexpr short byte_of(int words_value, int sub, int slot, int i) {
  int const bytes = 4 / sub;
  return static_cast<short>(4 * words_value + slot % sub * bytes + i);
}

/// What one round sends: the packets as a value, then the shuffle.
AXE_LAZY_FN constexpr int send(exchange_round const& round, int sub, value_list const& words,
                               program& to) {
  word_bytes packed{};
  bool read[warp_lanes]{};
  for (signed char s : round.reads)
    if (s != 0) read[s - 1] = true;
  for (int s = 0; s < warp_lanes; ++s)
    for (int c = 0; c < sub && read[s]; ++c) {
      int const slot = round.packet(s, c);
      for (int i = 0; i < 4 / sub && slot >= 0; ++i)
        packed.from[s][c * (4 / sub) + i] =
            static_cast<short>(1 + byte_of(words[slot / sub], sub, slot, i));
    }
  int const sent = to.build(packed);
  return round.own ? sent : to.shuffle(sent, round.reads);
}

/// Where a lane finds an element: 4 * value + byte of its first byte, by the element's number.
/// Those that it neither holds nor receives are never asked.
struct lane_finds {
  short at[warp_lanes * most_slots]{};
};

AXE_LAZY_FN constexpr void note_received(int lane, warp_holding const& source, int sub,
                                         round_list const& rounds, value_list const& received,
                                         lane_finds& found) {
  for (int k = rounds.size() - 1; k >= 0; --k) {
    int const s = rounds[k].from(lane);
    for (int c = 0; c < sub && s >= 0; ++c)
      if (int const slot = rounds[k].packet(s, c); slot >= 0 && source.at(s, slot) >= 0)
        found.at[source.at(s, slot)] = byte_of(received[k], sub, c, 0);
  }
}
AXE_LAZY_FN constexpr void note_own(int lane, warp_holding const& source, int sub,
                                    value_list const& words, lane_finds& found) {
  for (int slot = source.slots - 1; slot >= 0; --slot)
    if (int const e = source.at(lane, slot); e >= 0)
      found.at[e] = byte_of(words[slot / sub], sub, slot, 0);
}

/// Where an element that a lane needs is taken from when it both holds and receives it. Where every
/// lane takes part in every round, what it receives is the same word in all lanes, and nothing has
/// to be chosen.
enum class prefer : bool { own, received };

/// Adds the steps of an exchange. `words` are the values of the source's words, the result those of
/// the target's words, -1 where nothing lies.
AXE_LAZY_FN constexpr value_list exchange(warp_holding const& source, warp_holding const& target,
                                          int sub, round_list const& rounds,
                                          value_list const& words, prefer first, program& to) {
  value_list received;
  for (exchange_round const& round : rounds)
    received.push(static_cast<short>(send(round, sub, words, to)));

  int const target_words = target.slots / sub;
  word_bytes wanted[conversion_plan::most_words]{};
  lane_finds found;
  for (int d = 0; d < warp_lanes; ++d) {
    for (int turn = 0; turn < 2; ++turn) {  // what is noted second counts
      if ((turn == 0) == (first == prefer::own))
        note_received(d, source, sub, rounds, received, found);
      else
        note_own(d, source, sub, words, found);
    }
    for (int slot = 0; slot < target.slots; ++slot) {
      int const e = target.at(d, slot);
      if (e < 0) continue;
      bool const stays = first == prefer::own && slot < source.slots && source.at(d, slot) == e;
      int const at = stays ? byte_of(words[slot / sub], sub, slot, 0) : found.at[e];
      for (int i = 0; i < 4 / sub; ++i)
        wanted[slot / sub].from[d][slot % sub * (4 / sub) + i] = static_cast<short>(1 + at + i);
    }
  }
  value_list result;
  for (int w = 0; w < target_words; ++w) result.push(static_cast<short>(to.build(wanted[w])));
  return result;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
