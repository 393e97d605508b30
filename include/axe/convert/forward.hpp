// The program of a route: in every round each lane packs a word of elements that it holds or has
// read, and reads one lane.
//
//     S[(2,2):(1@lane,2@lane)] to S[(2,2):(1@reg,2@reg)], 8 bits, lane 0: round 1 lane 2 reads lane 3; round 2 lane 0 reads … of lane 2
#pragma once

#include <axe/convert/route.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// What a lane has at hand while a route is run.
struct forwarding {
  warp_holding const& source;
  holders const& where;
  int sub;
  route_list rounds;
  value_list const& words;
  value_list received{};

  /// Where lane l finds element e: 4 * value + byte of its first byte.
  AXE_FN constexpr int at(int lane, int e) const {
    for (int p = where.first[e]; p != 0; p = where.next[p - 1])
      if ((p - 1) / source.slots == lane)
        return byte_of(words[(p - 1) % source.slots / sub], sub, (p - 1) % source.slots, 0);
    for (int k = 0; k < received.size(); ++k) {
      int const s = rounds[k].reads[lane] - 1;
      for (int c = 0; c < sub && s >= 0; ++c)
        if (rounds[k].sends[s][c] == e + 1) return byte_of(received[k], sub, c, 0);
    }
    return 0;
  }

  AXE_FN constexpr int own_position(int lane, int e) const {
    for (int p = where.first[e]; p != 0; p = where.next[p - 1])
      if ((p - 1) / source.slots == lane) return (p - 1) % source.slots % sub;
    return -1;
  }
};

/// Orders the elements of each word: where one lies in a register of the lane that sends it, if no
/// other has that place.
AXE_LAZY_FN constexpr void place_words(forwarding& route) {
  for (route_round& round : route.rounds)
    for (int s = 0; s < warp_lanes; ++s) {
      short placed[4]{};
      short rest[4]{};
      int left = 0;
      for (short e : round.sends[s]) {
        if (e == 0) continue;
        int const own = route.own_position(s, e - 1);
        if (own >= 0 && placed[own] == 0)
          placed[own] = e;
        else
          rest[left++] = e;
      }
      for (int c = 0; left > 0; ++c)
        if (placed[c] == 0) placed[c] = rest[--left];
      for (int c = 0; c < 4; ++c) round.sends[s][c] = placed[c];
    }
}

/// Adds the steps of a route, as `exchange` does those of rounds that send the source's own slots.
AXE_LAZY_FN constexpr value_list forward(warp_holding const& source, warp_holding const& target,
                                         holders const& where, int sub, route_list const& rounds,
                                         value_list const& words, program& to) {
  forwarding route{source, where, sub, rounds, words};
  place_words(route);
  int const bytes = 4 / sub;
  for (route_round const& round : route.rounds) {
    word_bytes packed{};
    bool read[warp_lanes]{};
    for (signed char s : round.reads)
      if (s != 0) read[s - 1] = true;
    for (int s = 0; s < warp_lanes; ++s)
      for (int c = 0; c < sub && read[s]; ++c) {
        int const e = round.sends[s][c] - 1;
        if (e < 0) continue;
        int const from = route.at(s, e);
        for (int i = 0; i < bytes; ++i)
          packed.from[s][c * bytes + i] = static_cast<short>(1 + from + i);
      }
    int const word = to.build(packed);  // -1 where nobody reads: the route needs no such round
    route.received.push(static_cast<short>(word < 0 ? 0 : to.shuffle(word, round.reads)));
  }
  value_list result;
  for (int w = 0; w < target.slots / sub; ++w) {
    word_bytes wanted{};
    for (int d = 0; d < warp_lanes; ++d)
      for (int c = 0; c < sub; ++c) {
        int const slot = w * sub + c, e = target.at(d, slot);
        if (e < 0) continue;
        bool const stays = slot < source.slots && source.at(d, slot) == e;
        int const from = stays ? byte_of(words[w], sub, slot, 0) : route.at(d, e);
        for (int i = 0; i < bytes; ++i)
          wanted.from[d][c * bytes + i] = static_cast<short>(1 + from + i);
      }
    result.push(static_cast<short>(to.build(wanted)));
  }
  return result;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
