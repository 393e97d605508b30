// SPDX-License-Identifier: MIT
// Schedules rounds without relays, for any two register layouts.
//
//     packet     up to 32 / width elements that a lane sends to readers
//     round      each lane sends and reads at most one packet
//
// Lanes that share packets count as one reader. Rounds are the edge colours of a bipartite graph,
// as many as its largest degree (König).
#pragma once

#include <axe/convert/engine/exchange.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct packet {
  int lane = 0;
  list<int, 4> elements;

  constexpr bool operator==(packet const&) const = default;
};

struct packet_list {
  static constexpr int most = warp_lanes * conversion_plan::most_words;

  list<packet, most> all;
  register_word readers[most]{};
  // Packets with the same first element form a chain.
  int latest[warp_exchange::most_elements]{};  // by first element: 1 + the last packet
  int earlier[most]{};                         // by packet: 1 + the one before it
  int reader[warp_lanes]{};                    // the lowest lane that shares packets with it

  AXE_FN constexpr bool add(packet const& p, int lane) {
    int& newest = latest[p.elements[0]];
    int at = newest - 1;
    while (at >= 0 && !(all[at] == p)) at = earlier[at] - 1;
    if (at < 0) {
      at = all.size();
      if (!all.push(p)) return false;
      earlier[at] = newest;
      newest = at + 1;
    }
    readers[at] |= register_word{1} << lane;
    return true;
  }
  AXE_FN constexpr void join_readers() {
    for (int l = 0; l < warp_lanes; ++l) reader[l] = l;
    for (int p = 0; p < all.size(); ++p)
      for (register_word rest = readers[p]; rest != 0; rest &= rest - 1) {
        int const one = reader[lowest(readers[p])], other = reader[lowest(rest)];
        int const low = one < other ? one : other, high = one < other ? other : one;
        for (int& r : reader)
          if (r == high) r = low;
      }
  }
  AXE_FN constexpr int reader_of(int p) const { return reader[lowest(readers[p])]; }
  AXE_FN constexpr integer rounds() const {
    integer sent[warp_lanes]{}, read[warp_lanes]{}, degree = 0;
    for (int p = 0; p < all.size(); ++p) {
      degree = larger(degree, ++sent[all[p].lane]);
      degree = larger(degree, ++read[reader_of(p)]);
    }
    return degree;
  }
};

/// The sender of an element to a lane is a holder with an open packet for the lane, else one that
/// already sends the element, else the one that sends least.
AXE_LAZY_FN constexpr bool list_packets(warp_exchange const& x, packet_list& packets) {
  register_word senders[warp_exchange::most_elements]{};
  int sent[warp_lanes]{};
  for (int d = 0; d < warp_lanes; ++d) {
    packet open[warp_lanes]{};
    auto const cost = [&](int s, int e) {
      if (!open[s].elements.empty()) return -2;
      return (senders[e] >> s & 1) != 0 ? -1 : sent[s] * warp_lanes + (s ^ d);
    };
    for (int e = 0; e < x.elements; ++e) {
      if ((x.readers[e] >> d & 1) == 0) continue;
      int s = lowest(x.holders[e]);
      for (register_word rest = x.holders[e]; rest != 0; rest &= rest - 1)
        if (int const h = lowest(rest); cost(h, e) < cost(s, e)) s = h;
      sent[s] += cost(s, e) >= 0;
      senders[e] |= register_word{1} << s;
      open[s].lane = s;
      open[s].elements.push(e);
      if (open[s].elements.size() < x.per_word) continue;
      if (!packets.add(open[s], d)) return false;
      open[s] = {};
    }
    for (packet const& p : open)
      if (!p.elements.empty() && !packets.add(p, d)) return false;
  }
  packets.join_readers();
  return true;
}

/// 1 + the packet of each lane in each round, or 0.
struct timetable {
  int sends[conversion_plan::most_words][warp_lanes]{};
  int reads[conversion_plan::most_words][warp_lanes]{};
};

AXE_LAZY_FN constexpr void colour(packet_list const& packets, timetable& table) {
  for (int p = 0; p < packets.all.size(); ++p) {
    int to = 0, other = 0;
    while (table.sends[to][packets.all[p].lane] != 0) ++to;
    while (table.reads[other][packets.reader_of(p)] != 0) ++other;
    // The sender is free in round `to`, the reader in `other`. A displaced packet goes to the other
    // round and may displace the next.
    bool by_reader = true;
    for (int moving = p + 1; moving != 0; by_reader = !by_reader) {
      int const s = packets.all[moving - 1].lane, d = packets.reader_of(moving - 1);
      int &sends = table.sends[to][s], &reads = table.reads[to][d];
      int const displaced = by_reader ? reads : sends;
      if (table.sends[other][s] == moving) table.sends[other][s] = 0;
      if (table.reads[other][d] == moving) table.reads[other][d] = 0;
      sends = reads = moving;
      moving = displaced;
      int const before = to;
      to = other;
      other = before;
    }
  }
}

AXE_LAZY_FN constexpr bool schedule(warp_exchange const& x, round_list& scheduled) {
  packet_list packets;
  if (!list_packets(x, packets)) return false;
  integer const rounds = packets.rounds();
  if (rounds > scheduled.capacity) return false;
  timetable table;
  colour(packets, table);
  for (int k = 0; k < rounds; ++k) {
    exchange_round round{};
    for (int l = 0; l < warp_lanes; ++l) {
      if (int const p = table.sends[k][l]; p != 0)
        for (int c = 0; c < packets.all[p - 1].elements.size(); ++c)
          round.sends[l][c] = packets.all[p - 1].elements[c] + 1;
      int const read = table.reads[k][packets.reader[l]];
      if (read != 0 && (packets.readers[read - 1] >> l & 1) != 0)
        round.reads[l] = packets.all[read - 1].lane + 1;
    }
    scheduled.push(round);
  }
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
