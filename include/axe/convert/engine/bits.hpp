// SPDX-License-Identifier: MIT
// Plans conversions in which each lane bit and slot bit is a bit of the element number.
//
//     S[(8,4,4,2):(4@lane,4@reg,1@lane,1@reg)]
//         element bits 7 to 0: lane 4 3 2, slot 3 2, lane 1 0, slot 0
//
// X are the element bits that move from lane to slot bits, Z those from slot to lane bits. Y stay
// slot bits.
#pragma once

#include <axe/convert/engine/exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_slot_bits = 12;

struct place_bits {
  static constexpr int free = -1;    // replicas differ in it
  static constexpr int absent = -2;  // always 0
  static constexpr int idle = -3;    // lanes that differ in it do the same
  static constexpr int first_lane_bit = most_slot_bits;

  int elements = 0;              // bits of the element number
  int at[most_slot_bits + 5]{};  // an element bit, or a constant above

  AXE_FN constexpr int position(int element_bit) const {
    int p = 0;
    while (at[p] != element_bit) ++p;
    return p;
  }
  AXE_FN static constexpr bool is_lane(int position) { return position >= first_lane_bit; }
};

AXE_LAZY_FN constexpr bool read_place_bits(layout const& l, place_bits& bits) {
  bits.elements = 0;
  for (int& b : bits.at) b = place_bits::absent;
  auto const mark = [&](iter const& i, bool replica) {
    int const length = exact_log2(i.extent), step = exact_log2(i.stride);
    bool const lane = i.is_on(axis::lane);
    if (length < 0 || step < 0 || (!lane && !i.is_on(axis::reg)) ||
        step + length > (lane ? 5 : most_slot_bits))
      return false;
    for (int b = step; b < step + length; ++b) {
      int& at = bits.at[(lane ? place_bits::first_lane_bit : 0) + b];
      if (at != place_bits::absent) return false;
      at = replica ? place_bits::free : bits.elements++;
    }
    return true;
  };
  for (int k = l.shards.size() - 1; k >= 0; --k)
    if (!mark(l.shards[k], false)) return false;
  for (iter const& r : l.replicas)
    if (!mark(r, true)) return false;
  return l.offsets.empty();
}

AXE_LAZY_FN constexpr register_access access_of_bits(place_bits const& bits) {
  element_digits lanes, slots;
  for (int p = 0; p < place_bits::first_lane_bit + 5; ++p) {
    int const bit = bits.at[p];
    if (bit == place_bits::absent) continue;
    bool const lane = place_bits::is_lane(p);
    (lane ? lanes : slots)
        .push({{2, integer{1} << (lane ? p - place_bits::first_lane_bit : p), axis::null},
               bit < 0 ? 0 : integer{1} << bit});
  }
  return {lanes, 0, slots, 0};
}

using bit_list = list<int, most_slot_bits>;

struct bit_exchange {
  place_bits source, target;
  int per_word_bits = 0;  // log2 of a word's elements
  bit_list x, y, z;
  bool in_place = true;  // no lane bit becomes another lane bit

  AXE_FN constexpr bit_exchange(place_bits const& from, place_bits const& to, int bits)
      : source(from), target(to), per_word_bits(bits) {
    for (int e = 0; e < source.elements; ++e) {
      int const here = source.position(e), there = target.position(e);
      bool const from_lane = place_bits::is_lane(here), to_lane = place_bits::is_lane(there);
      if (from_lane && to_lane)
        in_place = in_place && here == there;
      else
        (from_lane ? x : to_lane ? z : y).push(e);
    }
  }
};

AXE_LAZY_FN constexpr int shuffles_of_stage(int x, int y, int per_word_bits, bool in_place) {
  return (1 << (y > per_word_bits ? y - per_word_bits : 0)) * ((1 << x) - (in_place ? 1 : 0));
}

/// How many bits of X to move in a first stage. 0: one stage is best.
AXE_LAZY_FN constexpr int bits_of_first_stage(int x, int y, int z, int per_word_bits, bool in_place,
                                              int& least_shuffles) {
  least_shuffles = shuffles_of_stage(x, y, per_word_bits, in_place);
  int best = 0;
  for (int first = 1; first <= x && y < per_word_bits; ++first) {
    if (first == x && in_place) break;
    int const swapped = first < z ? first : z;
    int rest = 0;
    bits_of_first_stage(x - first, y + first, z - swapped, per_word_bits, in_place, rest);
    int const all = shuffles_of_stage(first, y + z - swapped, per_word_bits, true) + rest;
    if (all < least_shuffles) {
      least_shuffles = all;
      best = first;
    }
  }
  return best;
}

/// Swaps `moved` bits of X with bits of Z; when Z is used up, with unused slot bits.
AXE_LAZY_FN constexpr place_bits after_stage(bit_exchange const& e, int moved) {
  place_bits middle = e.source;
  bit_list rest_of_z = e.z;
  for (int i = 0; i < moved; ++i) {
    int const lane = e.source.position(e.x[i]);
    int partner = rest_of_z.size() - 1;
    for (int j = 0; j < rest_of_z.size(); ++j)
      if (e.target.position(rest_of_z[j]) == lane) partner = j;
    int slot = 0;
    if (partner >= 0) {
      slot = e.source.position(rest_of_z[partner]);
      middle.at[lane] = rest_of_z[partner];
      rest_of_z.erase(partner);
    } else {
      while (middle.at[slot] >= 0) ++slot;
      middle.at[lane] = place_bits::free;
    }
    middle.at[slot] = e.x[i];
  }
  return middle;
}

/// Computes a bit of the sending lane or of the element: the XOR of one bit each of the reading
/// lane, the round and the position in the packet. The fields are 1 + the numbers of these bits; 0:
/// no bit. With other initial values g++ 12 computes wrong constants.
struct bit_rule {
  int lane = 0, round = 0, packet = 0;

  AXE_FN constexpr int operator()(int reader, int in_round, int position) const {
    auto const bit = [](int of, int i) { return i > 0 ? of >> (i - 1) & 1 : 0; };
    return bit(reader, lane) ^ bit(in_round, round) ^ bit(position, packet);
  }
};

struct bit_rounds {
  bit_rule element[most_slot_bits + 5]{};
  bit_rule spare[5]{};  // for lane bits without an element bit
  int used = 0;         // mask of the position bits that select an element
  int rounds = 1;
};

/// The element bits in which the elements of a packet differ. Prefers Y inside a source word, Y
/// inside a target word, other Y, Z inside a source word.
AXE_LAZY_FN constexpr bit_list packet_bits(bit_exchange const& e) {
  bit_list packet;
  auto const add_of = [&](int turn, bit_list const& bits) {
    for (int bit : bits) {
      bool const in_source = e.source.position(bit) < e.per_word_bits;
      bool const in_target = e.target.position(bit) < e.per_word_bits;
      if (turn == (in_source ? 0 : in_target ? 1 : 2) && packet.size() < e.per_word_bits)
        packet.push(bit);
    }
  };
  for (int turn = 0; turn < 3; ++turn) add_of(turn, e.y);
  add_of(0, e.z);
  return packet;
}

/// Gives each packet bit a bit of the position in the packet: its own, if it is in the source word.
AXE_LAZY_FN constexpr void number_packet(bit_exchange const& e, bit_rounds& r) {
  bit_list const packet = packet_bits(e);
  for (bool const within : {true, false})
    for (int bit : packet) {
      int at = e.source.position(bit);
      if ((at < e.per_word_bits) != within) continue;
      if (!within)
        for (at = 0; (r.used >> at & 1) != 0;) ++at;
      r.used |= 1 << at;
      r.element[bit].packet = 1 + at;
    }
}

/// Pairs each bit of Z outside of packets with a sender's lane bit, preferably the one it becomes.
AXE_LAZY_FN constexpr void pair_lane_bits(bit_exchange const& e, bit_rounds& r) {
  bool paired[5]{};  // lane bits that stay lane bits, are idle or are paired
  for (int lane = 0; lane < 5; ++lane) {
    int const bit = e.source.at[place_bits::first_lane_bit + lane];
    int const there = bit < 0 ? lane : e.target.position(bit) - place_bits::first_lane_bit;
    paired[lane] = (bit >= 0 && there >= 0) || bit == place_bits::idle;
    (bit < 0 ? r.spare[lane] : r.element[bit]).lane = 1 + (there < 0 ? lane : there);
  }
  for (int turn = 0; turn < 3; ++turn)
    for (int bit : e.z) {
      if (r.element[bit].packet > 0 || r.element[bit].lane > 0) continue;
      int const there = e.target.position(bit) - place_bits::first_lane_bit;
      for (int lane = 0; lane < 5 && r.element[bit].lane == 0; ++lane) {
        int const by = e.source.at[place_bits::first_lane_bit + lane];
        if (paired[lane] || (turn == 0 && lane != there) || (turn == 1 && by < 0)) continue;
        paired[lane] = true;
        r.element[bit].lane = (by < 0 ? r.spare[lane] : r.element[by]).lane = 1 + there;
      }
    }
}

AXE_LAZY_FN constexpr bit_rounds plan_rounds(bit_exchange const& e) {
  bit_rounds r;
  number_packet(e, r);
  int round_bits = 0;
  for (int bit : e.x) r.element[bit].round = ++round_bits;
  for (int bit : e.y)
    if (r.element[bit].packet == 0) r.element[bit].round = ++round_bits;
  r.rounds = 1 << round_bits;
  pair_lane_bits(e, r);
  return r;
}

AXE_LAZY_FN constexpr void list_rounds(bit_exchange const& e, bool with_own, round_list& rounds) {
  bit_rounds const r = plan_rounds(e);
  for (int k = 0; k < r.rounds; ++k) {
    exchange_round round{};
    round.own = e.in_place && k % (1 << e.x.size()) == 0;
    if (round.own && !with_own) continue;
    for (int reader = 0; reader < warp_lanes; ++reader)
      for (int c = 0; c < 1 << e.per_word_bits; ++c) {
        if ((c & ~r.used) != 0) continue;
        int element = 0, sender = 0;
        for (int b = 0; b < e.source.elements; ++b) element |= r.element[b](reader, k, c) << b;
        for (int b = 0; b < 5; ++b) {
          int const bit = e.source.at[place_bits::first_lane_bit + b];
          sender |= (bit < 0 ? r.spare[b](reader, k, c) : element >> bit & 1) << b;
        }
        round.reads[reader] = 1 + sender;
        round.sends[sender][c] = 1 + element;
      }
    rounds.push(round);
  }
}

AXE_LAZY_FN constexpr value_list convert_bits(place_bits const& from, place_bits const& to,
                                              int per_word_bits, value_list const& words,
                                              program& steps) {
  bit_exchange const e(from, to, per_word_bits);
  int least_shuffles = 0;
  int const first = bits_of_first_stage(e.x.size(), e.y.size(), e.z.size(), per_word_bits,
                                        e.in_place, least_shuffles);
  if (first > 0) {
    place_bits const middle = after_stage(e, first);
    value_list const half = convert_bits(from, middle, per_word_bits, words, steps);
    return convert_bits(middle, to, per_word_bits, half, steps);
  }
  warp_exchange const x(access_of_bits(from), access_of_bits(to), 1 << per_word_bits);
  value_list results;
  program shortest;
  // With 3 bits of X or more, packing a lane's own elements never makes the program longer.
  for (bool const packed : {false, true}) {
    bool const is_useful = packed ? !e.in_place || e.x.size() > 1 : e.in_place && e.x.size() < 3;
    if (!is_useful) continue;
    round_list rounds;
    list_rounds(e, packed, rounds);
    program tried = steps;
    value_list const found =
        exchange_writer{x, rounds, words, tried}.write(packed ? prefer::received : prefer::own);
    if (results.empty() || tried.steps.count < shortest.steps.count) {
      shortest = tried;
      results = found;
    }
  }
  steps = shortest;
  return results;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
