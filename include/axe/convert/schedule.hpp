// Rounds for any two register layouts: which word each lane sends in which round, so that every
// lane has read what it needs.
//
//     lane d needs, of lane s, some words: a word is sent in one round (or in several), a lane sends one word a round and reads one
//
// Words are the source's own, or packets that hold exactly what one lane needs of another,
// whichever gives the smaller bound. Lanes that read packets together count as one; where no such
// reader reads more packets than a lane may, this is the colouring of a bipartite graph: as many
// rounds as the largest degree, found by alternating paths (König). Elsewhere the rounds are
// searched, from the bound upwards, a stated number of steps each.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The places of every element: a chain of lane * slots + slot, by the element's number.
struct holders {
  short first[warp_lanes * most_slots]{};  // 1 + place; 0: nowhere
  short next[warp_lanes * most_slots]{};
  register_word lanes[warp_lanes * most_slots]{};  // who holds it

  AXE_FN constexpr explicit holders(warp_holding const& table) {
    for (int place = warp_lanes * table.slots - 1; place >= 0; --place) {
      int const e = table.held[place] - 1;
      if (e < 0) continue;
      next[place] = first[e];
      first[e] = static_cast<short>(place + 1);
      lanes[e] |= register_word{1} << (place / table.slots);
    }
  }
};

/// What one lane sends in one round, and who reads it.
struct packet {
  signed char lane;
  short slot[4];  // 1 + slot; 0: nothing
  register_word readers;
};

inline constexpr int most_packets = warp_lanes * conversion_plan::most_words;

struct packet_list {
  list<packet, most_packets> all;
  short sent[warp_lanes]{}, read[warp_lanes]{};  // packets of a lane

  AXE_FN constexpr int rounds() const {
    int most = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      most = sent[l] < most ? most : sent[l];
      most = read[l] < most ? most : read[l];
    }
    return most;
  }
  /// Adds a reader to a packet, and the packet where it is new. False where there are too many.
  AXE_FN constexpr bool add(packet const& p, int reader) {
    int at = 0;
    while (at < all.size() && !same(all[at], p)) ++at;
    if (at == all.size()) {
      if (!all.push(p)) return false;
      ++sent[p.lane];
    }
    if ((all[at].readers >> reader & 1) == 0) ++read[reader];
    all[at].readers |= register_word{1} << reader;
    return true;
  }
  AXE_FN static constexpr bool same(packet const& a, packet const& b) {
    bool equal = a.lane == b.lane;
    for (int c = 0; c < 4; ++c) equal = equal && a.slot[c] == b.slot[c];
    return equal;
  }
};

/// Lanes that read packets together, directly or through others, as one: reader[d] is the lowest
/// lane of d's.
struct joint_readers {
  signed char reader[warp_lanes]{};
  short read[warp_lanes]{};  // packets

  AXE_FN constexpr explicit joint_readers(packet_list const& packets) {
    for (signed char l = 0; l < warp_lanes; ++l) reader[l] = l;
    for (packet const& p : packets.all) {
      signed char const first = reader[lowest(p.readers)];
      for (register_word rest = p.readers; rest != 0; rest &= rest - 1) {
        signed char const other = reader[lowest(rest)];
        signed char const low = first < other ? first : other, high = first < other ? other : first;
        for (signed char& r : reader)
          if (r == high) r = low;
      }
    }
    for (packet const& p : packets.all) ++read[reader[lowest(p.readers)]];
  }
  AXE_FN constexpr int of(packet const& p) const { return reader[lowest(p.readers)]; }
  AXE_FN constexpr int rounds(packet_list const& packets) const {
    int most = packets.rounds();
    for (short n : read) most = n < most ? most : n;
    return most;
  }
};

/// Elements that a lane needs and does not hold, once each, into `needs`; how many.
AXE_LAZY_FN constexpr int needs_of(int lane, warp_holding const& target, holders const& where,
                                   short* needs) {
  int n = 0;
  for (int slot = 0; slot < target.slots; ++slot) {
    int const e = target.at(lane, slot);
    if (e < 0 || (where.lanes[e] >> lane & 1) != 0) continue;
    int known = 0;
    while (known < n && needs[known] != e) ++known;
    if (known == n) needs[n++] = static_cast<short>(e);
  }
  return n;
}

/// The source's words as they are: for each need a word that the lane reads already, else one that
/// others read, else of the lane that sends least.
AXE_LAZY_FN constexpr bool list_words(warp_holding const& source, warp_holding const& target,
                                      holders const& where, int sub, packet_list& out) {
  short of_word[warp_lanes * conversion_plan::most_words]{};  // 1 + packet
  int const words = source.slots / sub;
  for (int d = 0; d < warp_lanes; ++d) {
    short needs[most_slots]{};
    int const n = needs_of(d, target, where, needs);
    for (int i = 0; i < n; ++i) {
      int best = -1, best_cost = 0;
      for (int p = where.first[needs[i]]; p != 0; p = where.next[p - 1]) {
        int const s = (p - 1) / source.slots, w = (p - 1) % source.slots / sub;
        int const known = of_word[s * words + w];
        bool const mine = known != 0 && (out.all[known - 1].readers >> d & 1) != 0;
        int const cost = mine ? -2 : known != 0 ? -1 : out.sent[s] * warp_lanes + (s ^ d);
        if (best < 0 || cost < best_cost) {
          best = p - 1;
          best_cost = cost;
        }
      }
      int const s = best / source.slots, w = best % source.slots / sub;
      packet p{};
      p.lane = static_cast<signed char>(s);
      for (int c = 0; c < sub; ++c)
        if (source.at(s, w * sub + c) >= 0) p.slot[c] = static_cast<short>(1 + w * sub + c);
      if (!out.add(p, d)) return false;
      if (of_word[s * words + w] == 0) of_word[s * words + w] = static_cast<short>(out.all.size());
    }
  }
  return true;
}

/// Packets of what one lane needs of another.
AXE_LAZY_FN constexpr bool list_pairs(warp_holding const& source, warp_holding const& target,
                                      holders const& where, int sub, packet_list& out) {
  for (int d = 0; d < warp_lanes; ++d) {
    short needs[most_slots]{};
    int const n = needs_of(d, target, where, needs);
    packet open[warp_lanes]{};
    int filled[warp_lanes]{};
    for (int i = 0; i < n; ++i) {
      int place = where.first[needs[i]] - 1;
      for (int p = place + 1; p != 0; p = where.next[p - 1])
        if (((p - 1) / source.slots ^ d) < (place / source.slots ^ d)) place = p - 1;
      int const s = place / source.slots;
      open[s].lane = static_cast<signed char>(s);
      open[s].slot[filled[s]++] = static_cast<short>(1 + place % source.slots);
      if (filled[s] < sub) continue;
      if (!out.add(open[s], d)) return false;
      open[s] = {};
      filled[s] = 0;
    }
    for (int s = 0; s < warp_lanes; ++s)
      if (filled[s] > 0 && !out.add(open[s], d)) return false;
  }
  return true;
}

/// Which packet a lane sends, and which it reads, in each round: 1 + packet, 0 none.
struct timetable {
  short sends[conversion_plan::most_words][warp_lanes]{};
  short reads[conversion_plan::most_words][warp_lanes]{};
};

/// Colours a bipartite graph with `rounds` colours, at least its largest degree: senders and joint
/// readers.
AXE_LAZY_FN constexpr void colour(packet_list const& packets, joint_readers const& joint,
                                  int rounds, timetable& table) {
  for (int p = 0; p < packets.all.size(); ++p) {
    int const s = packets.all[p].lane;
    int const d = joint.of(packets.all[p]);
    int both = 0, at_s = 0, at_d = 0;
    while (both < rounds && (table.sends[both][s] != 0 || table.reads[both][d] != 0)) ++both;
    while (table.sends[at_s][s] != 0) ++at_s;
    while (table.reads[at_d][d] != 0) ++at_d;
    int const round = both < rounds ? both : at_s;
    // d reads in round at_s already: along that path the two rounds change places.
    int moving = both < rounds ? 0 : table.reads[at_s][d];
    bool from_reader = true;
    int from = at_s, to = at_d;
    if (moving != 0) table.reads[at_s][d] = 0;
    while (moving != 0) {
      packet const& m = packets.all[moving - 1];
      int const reader = joint.of(m);
      int const displaced = from_reader ? table.sends[to][m.lane] : table.reads[to][reader];
      if (table.sends[from][m.lane] == moving) table.sends[from][m.lane] = 0;
      if (table.reads[from][reader] == moving) table.reads[from][reader] = 0;
      table.sends[to][m.lane] = static_cast<short>(moving);
      table.reads[to][reader] = static_cast<short>(moving);
      moving = displaced;
      from_reader = !from_reader;
      int const other = from;
      from = to;
      to = other;
    }
    table.sends[round][s] = static_cast<short>(p + 1);
    table.reads[round][d] = static_cast<short>(p + 1);
  }
  for (int k = 0; k < rounds; ++k) {
    short joint_read[warp_lanes]{};
    for (int d = 0; d < warp_lanes; ++d) joint_read[d] = table.reads[k][joint.reader[d]];
    for (int d = 0; d < warp_lanes; ++d)
      table.reads[k][d] =
          joint_read[d] > 0 && (packets.all[joint_read[d] - 1].readers >> d & 1) != 0
              ? joint_read[d]
              : 0;
  }
}

/// One reading that waits for its round.
struct reading {
  short packet;
  signed char reader;
  short tries;  // so many have been tried; the last is in the table
  bool sends;   // this reading put the packet into its round
};

inline constexpr int search_steps = 20'000;

/// Searches rounds for packets with several readers. Depth first, a round in which the packet is
/// sent already before another.
AXE_LAZY_FN constexpr bool search(packet_list const& packets, int rounds, timetable& table) {
  list<reading, most_packets> all;
  for (int p = 0; p < packets.all.size(); ++p)
    for (int d = 0; d < warp_lanes; ++d)
      if ((packets.all[p].readers >> d & 1) != 0 &&
          !all.push({static_cast<short>(p), static_cast<signed char>(d), 0, false}))
        return false;
  int at = 0;
  for (int steps = 0; steps < search_steps && at >= 0; ++steps) {
    if (at == all.size()) return true;
    reading& r = all[at];
    int const s = packets.all[r.packet].lane;
    short const mine = static_cast<short>(r.packet + 1);
    if (r.tries > 0) {
      int const last = (r.tries - 1) % rounds;
      table.reads[last][r.reader] = 0;
      if (r.sends) table.sends[last][s] = 0;
      r.sends = false;
    }
    // Tries 0 … rounds-1: rounds that send it; then rounds in which the lane sends nothing yet.
    int next = r.tries;
    for (; next < 2 * rounds; ++next) {
      int const k = next % rounds;
      if (table.reads[k][r.reader] != 0) continue;
      if (table.sends[k][s] == (next < rounds ? mine : 0)) break;
    }
    if (next == 2 * rounds) {
      r.tries = 0;
      --at;
      continue;
    }
    r.tries = static_cast<short>(next + 1);
    r.sends = next >= rounds;
    table.sends[next % rounds][s] = mine;
    table.reads[next % rounds][r.reader] = mine;
    ++at;
  }
  return false;
}

/// The rounds; false where they are more than a plan holds.
AXE_LAZY_FN constexpr bool schedule(warp_holding const& source, warp_holding const& target, int sub,
                                    round_list& out) {
  holders const where(source);
  packet_list packets;
  bool listed = list_words(source, target, where, sub, packets);
  if (sub > 1 && (!listed || packets.rounds() > 1)) {
    packet_list pairs;
    if (list_pairs(source, target, where, sub, pairs) &&
        (!listed || pairs.rounds() < packets.rounds())) {
      packets = pairs;
      listed = true;
    }
  }
  if (!listed) return false;
  int rounds = packets.rounds();
  timetable table;
  if (rounds > out.capacity) return false;
  if (joint_readers const joint(packets); joint.rounds(packets) == rounds) {
    colour(packets, joint, rounds, table);
  } else {
    while (!search(packets, rounds, table)) {
      if (++rounds > out.capacity) return false;
      table = {};
    }
  }
  for (int k = 0; k < rounds; ++k) {
    exchange_round round{};
    for (int l = 0; l < warp_lanes; ++l) {
      if (int const p = table.sends[k][l]; p != 0)
        for (int c = 0; c < 4; ++c) round.sends[l][c] = packets.all[p - 1].slot[c];
      if (int const p = table.reads[k][l]; p != 0)
        round.reads[l] = static_cast<signed char>(packets.all[p - 1].lane + 1);
    }
    out.push(round);
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
