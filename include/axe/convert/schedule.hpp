// Rounds for any two register layouts, each element sent straight from a lane that holds it.
//
//     packet     up to 32 / width elements that a lane sends to a reader, or to several readers
//     round      each lane sends at most one packet and reads at most one
//
// Lanes that share packets count as one reader. Rounds are then the colours of a bipartite graph,
// as many as its largest degree, found along alternating paths (König's theorem).
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct packet {
  signed char lane;
  short element[4];  // 1 + element; 0 if unused
  register_word readers;
};

struct packet_list {
  static constexpr int most = warp_lanes * conversion_plan::most_words;

  list<packet, most> all;
  signed char reader[warp_lanes]{};  // the lowest lane among those that share packets with a lane

  /// Adds a reader to a packet; adds the packet if it is new. False if there are too many.
  AXE_FN constexpr bool add(packet const& p, int lane) {
    int at = 0;
    while (at < all.size() && !same(all[at], p)) ++at;
    if (at == all.size() && !all.push(p)) return false;
    all[at].readers |= register_word{1} << lane;
    return true;
  }
  AXE_FN static constexpr bool same(packet const& a, packet const& b) {
    bool equal = a.lane == b.lane;
    for (int c = 0; c < 4; ++c) equal = equal && a.element[c] == b.element[c];
    return equal;
  }

  AXE_FN constexpr void join_readers() {
    for (signed char l = 0; l < warp_lanes; ++l) reader[l] = l;
    for (packet const& p : all)
      for (register_word rest = p.readers; rest != 0; rest &= rest - 1) {
        signed char const a = reader[lowest(p.readers)], b = reader[lowest(rest)];
        signed char const low = a < b ? a : b, high = a < b ? b : a;
        for (signed char& r : reader)
          if (r == high) r = low;
      }
  }
  AXE_FN constexpr int reader_of(packet const& p) const { return reader[lowest(p.readers)]; }
  /// The largest degree of the graph.
  AXE_FN constexpr int rounds() const {
    int sent[warp_lanes]{}, read[warp_lanes]{}, most_of_one = 0;
    for (packet const& p : all) {
      int const s = ++sent[p.lane], r = ++read[reader_of(p)];
      if (s > most_of_one) most_of_one = s;
      if (r > most_of_one) most_of_one = r;
    }
    return most_of_one;
  }
};

/// Packs what each lane lacks, by the lane that holds it: of several holders one with an open
/// packet, else one that sends the element to others, else one that sends least.
AXE_LAZY_FN constexpr bool list_packets(warp_exchange const& x, packet_list& out) {
  signed char packed_for[warp_exchange::most_elements]{};  // 1 + lane
  register_word senders[warp_exchange::most_elements]{};
  int sent[warp_lanes]{};
  for (int d = 0; d < warp_lanes; ++d) {
    packet open[warp_lanes]{};
    int filled[warp_lanes]{};
    auto const cost = [&](int s, int e) {
      if (filled[s] > 0) return -2;
      return (senders[e] >> s & 1) != 0 ? -1 : sent[s] * warp_lanes + (s ^ d);
    };
    for (int slot = 0; slot < x.target.slots; ++slot) {
      int const e = x.target.at(d, slot);
      if (e < 0 || packed_for[e] == d + 1 || (x.readers[e] >> d & 1) == 0) continue;
      packed_for[e] = static_cast<signed char>(d + 1);
      int s = -1;
      for (register_word rest = x.holders[e]; rest != 0; rest &= rest - 1)
        if (int const h = lowest(rest); s < 0 || cost(h, e) < cost(s, e)) s = h;
      sent[s] += cost(s, e) < 0 ? 0 : 1;
      senders[e] |= register_word{1} << s;
      open[s].lane = static_cast<signed char>(s);
      open[s].element[filled[s]++] = static_cast<short>(1 + e);
      if (filled[s] < x.sub) continue;
      if (!out.add(open[s], d)) return false;
      open[s] = {};
      filled[s] = 0;
    }
    for (int s = 0; s < warp_lanes; ++s)
      if (filled[s] > 0 && !out.add(open[s], d)) return false;
  }
  out.join_readers();
  return true;
}

/// The packet that a lane sends, and that it reads, in each round: 1 + packet, or 0.
struct timetable {
  short sends[conversion_plan::most_words][warp_lanes]{};
  short reads[conversion_plan::most_words][warp_lanes]{};
};

/// Colours the graph of senders and readers.
AXE_LAZY_FN constexpr void colour(packet_list const& packets, timetable& table) {
  for (int p = 0; p < packets.all.size(); ++p) {
    int const s = packets.all[p].lane, d = packets.reader_of(packets.all[p]);
    int at_s = 0, at_d = 0;
    while (table.sends[at_s][s] != 0) ++at_s;
    while (table.reads[at_d][d] != 0) ++at_d;
    // d reads in round at_s already: along that path the rounds at_s and at_d change places.
    int moving = table.reads[at_s][d];
    bool from_reader = true;
    int from = at_s, to = at_d;
    if (moving != 0) table.reads[at_s][d] = 0;
    while (moving != 0) {
      packet const& m = packets.all[moving - 1];
      int const reader = packets.reader_of(m);
      int const displaced = from_reader ? table.sends[to][m.lane] : table.reads[to][reader];
      if (table.sends[from][m.lane] == moving) table.sends[from][m.lane] = 0;
      if (table.reads[from][reader] == moving) table.reads[from][reader] = 0;
      table.sends[to][m.lane] = table.reads[to][reader] = static_cast<short>(moving);
      moving = displaced;
      from_reader = !from_reader;
      int const other = from;
      from = to;
      to = other;
    }
    table.sends[at_s][s] = table.reads[at_s][d] = static_cast<short>(p + 1);
  }
}

/// Adds the rounds; false if they are more than a plan holds.
AXE_LAZY_FN constexpr bool schedule(warp_exchange const& x, round_list& out) {
  packet_list packets;
  if (!list_packets(x, packets)) return false;
  int const rounds = packets.rounds();
  if (rounds > out.capacity) return false;
  timetable table;
  colour(packets, table);
  for (int k = 0; k < rounds; ++k) {
    exchange_round round{};
    for (int l = 0; l < warp_lanes; ++l) {
      if (int const p = table.sends[k][l]; p != 0)
        for (int c = 0; c < 4; ++c) round.sends[l][c] = packets.all[p - 1].element[c];
      int const read = table.reads[k][packets.reader[l]];
      if (read != 0 && (packets.all[read - 1].readers >> l & 1) != 0)
        round.reads[l] = static_cast<signed char>(packets.all[read - 1].lane + 1);
    }
    out.push(round);
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
