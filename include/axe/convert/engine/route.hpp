// SPDX-License-Identifier: MIT
// The router: finds rounds in which lanes also relay, by negotiated congestion.
// In a hop one lane reads from another. An element has a tree of hops from holders to readers. A
// pass raises the prices of words and reads that too many trees use, and routes these trees again.
// Source: McMurchie and Ebeling, "PathFinder" (1995).
//
// If shifts l -> l ^ v of lanes and e -> e ^ a of elements map an exchange to itself, the router
// routes one element of each orbit and shifts its route.
#pragma once

#include <axe/convert/engine/congestion.hpp>
#include <axe/convert/engine/exchange.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct exchange_shift {
  int lane = 0, element = 0;
};
using exchange_symmetry = list<exchange_shift, warp_lanes>;

AXE_LAZY_FN constexpr register_word shifted(register_word lanes, int by) {
  register_word result = 0;
  for (; lanes != 0; lanes &= lanes - 1) result |= register_word{1} << (lowest(lanes) ^ by);
  return result;
}

AXE_LAZY_FN constexpr bool maps_to_itself(warp_exchange const& x, int lane, int element) {
  for (int e = 0; e < x.elements; ++e)
    if (x.holders[e ^ element] != shifted(x.holders[e], lane) ||
        x.readers[e ^ element] != shifted(x.readers[e], lane))
      return false;
  return true;
}

/// A group of shifts, the identity first. `seed` selects among several groups.
AXE_LAZY_FN constexpr exchange_symmetry symmetry_of(warp_exchange const& x, int seed) {
  exchange_symmetry group;
  group.push({});
  for (int i = 1; i < warp_lanes && is_power_of_two(x.elements); ++i)
    for (int element = 1; element < x.elements; ++element) {
      int const lane = i * (2 * seed + 1) % warp_lanes;
      bool is_new = true;
      for (auto const& s : group) is_new = is_new && s.lane != lane && s.element != element;
      if (!is_new || !maps_to_itself(x, lane, element)) continue;
      for (int k = 0, size = group.size(); k < size; ++k)
        group.push({group[k].lane ^ lane, group[k].element ^ element});
    }
  return group;
}

/// The number of pairs of an element and a reader.
AXE_LAZY_FN constexpr integer count_paths(warp_exchange const& x) {
  integer paths = 0;
  for (int e = 0; e < x.elements; ++e) paths += count_bits(x.readers[e]);
  return paths;
}

struct router {
  static constexpr int most_elements = 2048;
  static constexpr int most_passes = 120;
  static constexpr int nowhere = 1 << 30;
  static constexpr int stays = -1;   // in came_from: no read in the round
  static constexpr int begins = -2;  // in came_from: a holder

  warp_exchange const& x;
  exchange_symmetry symmetry;
  int rounds;
  congestion load;
  list<int, most_elements> order;  // one per orbit of `symmetry`
  // An element's tree: for each lane 1 + the lane that it reads from, or 0, and the hop's round.
  signed char source[most_elements][warp_lanes]{};
  signed char round[most_elements][warp_lanes]{};
  stl::uint32_t random_state;

  // Of the routed element:
  register_word known[congestion::most_rounds + 1]{};  // lanes that have it before a round
  register_word sent[congestion::most_rounds]{};       // lanes that send it in a round
  int distance[warp_lanes]{};                          // price of the path to a lane
  int came_from[congestion::most_rounds + 1][warp_lanes]{};

  AXE_FN constexpr router(warp_exchange const& exchange, int of_rounds, int seed)
      : x(exchange),
        symmetry(symmetry_of(exchange, seed)),
        rounds(of_rounds),
        load(of_rounds, exchange.per_word),
        random_state(2463534242u + static_cast<stl::uint32_t>(seed) * 2654435761u) {
    for (int e = 0; e < x.elements; ++e) {
      bool first = x.readers[e] != 0;
      for (auto const& s : symmetry) first = first && e <= (e ^ s.element);
      if (first) order.push(e);
    }
  }

  AXE_FN constexpr int random_below(int n) {
    random_state = random_state * 1664525u + 1013904223u;
    return static_cast<int>((random_state >> 8) % static_cast<stl::uint32_t>(n));
  }

  /// Counts a hop of this tree, and its images by symmetry.
  AXE_FN constexpr void count(int from, int to, int t, int change) {
    bool const adds_to_word = (sent[t] >> from & 1) == 0;
    sent[t] |= register_word{1} << from;
    for (auto const& s : symmetry) load.add(t, from ^ s.lane, to ^ s.lane, change, adds_to_word);
  }

  AXE_FN constexpr void remove_tree(int e) {
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      if (source[e][l] != 0) count(source[e][l] - 1, l, round[e][l], -1);
      source[e][l] = 0;
    }
  }

  struct offers {
    int price[warp_lanes]{};
    register_word lanes = 0;
    int best = -1, second = -1;  // cheapest lanes
  };
  AXE_FN constexpr offers offers_in(int t, int limit) {
    offers all;
    for (int p = 0; p < warp_lanes; ++p) {
      if (distance[p] >= limit) continue;
      bool const is_sent = (sent[t] >> p & 1) != 0;
      all.price[p] = distance[p] + (is_sent ? 0 : load.word[t][p].price_of_use) + random_below(64);
      all.lanes |= register_word{1} << p;
      if (all.best < 0 || all.price[p] < all.price[all.best]) {
        all.second = all.best;
        all.best = p;
      } else if (all.second < 0 || all.price[p] < all.price[all.second]) {
        all.second = p;
      }
    }
    return all;
  }

  /// The cheapest lane below the price `least`, or `stays`. Lowers `least`.
  AXE_FN constexpr int cheapest_sender(int t, int d, offers const& all, int& least) const {
    int sender = stays;
    auto const consider = [&](int p) {
      if (p < 0 || p == d) return;
      int const cost = all.price[p] + load.reading_price(t, d, p);
      if (cost >= least) return;
      least = cost;
      sender = p;
    };
    // Lanes that d does not read yet differ only in `price`.
    consider(all.best == d ? all.second : all.best);
    for (register_word rest = load.used[t][d] & all.lanes; rest != 0; rest &= rest - 1)
      consider(lowest(rest));
    return sender;
  }

  /// Returns the reader in `left` with the cheapest path. came_from holds the path.
  AXE_FN constexpr int find_path(register_word left) {
    int limit = nowhere, nearest = lowest(left);
    for (int& cost : distance) cost = nowhere;
    for (int t = 0;; ++t) {
      for (register_word begin = known[t]; begin != 0; begin &= begin - 1) {
        came_from[t][lowest(begin)] = begins;
        distance[lowest(begin)] = 0;
      }
      if (t == rounds) return nearest;
      for (int& from : came_from[t + 1]) from = stays;
      offers const all = offers_in(t, limit);
      // A tree enters a lane once. The last round needs only readers.
      for (register_word rest = (t + 1 < rounds ? ~register_word{0} : left) & ~known[rounds];
           rest != 0; rest &= rest - 1) {
        int const d = lowest(rest);
        int least = distance[d] < limit ? distance[d] : limit;
        int const from = cheapest_sender(t, d, all, least);
        if (from == stays) continue;
        distance[d] = least;
        came_from[t + 1][d] = from;
        if ((left >> d & 1) == 0) continue;
        limit = least;
        nearest = d;
      }
    }
  }

  AXE_FN constexpr void add_tree(int e, step_limit& steps) {
    for (int t = 0; t <= rounds; ++t) known[t] = x.holders[e];
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (register_word left = x.readers[e]; left != 0;) {
      steps.taken += warp_lanes / 2 * rounds;
      int lane = find_path(left);
      left &= ~(register_word{1} << lane);
      for (int t = rounds; came_from[t][lane] != begins; --t) {
        known[t] |= register_word{1} << lane;
        int const from = came_from[t][lane];
        if (from == stays) continue;
        source[e][lane] = static_cast<signed char>(from + 1);
        round[e][lane] = static_cast<signed char>(t - 1);
        count(from, lane, t - 1, 1);
        lane = from;
      }
      for (int t = 1; t <= rounds; ++t) known[t] |= known[t - 1];
    }
  }

  AXE_FN constexpr bool in_conflict(int e) const {
    for (int l = 0; l < warp_lanes; ++l)
      if (source[e][l] != 0 && load.in_conflict(round[e][l], source[e][l] - 1, l)) return true;
    return false;
  }

  AXE_FN constexpr bool settle(step_limit& steps) {
    for (int pass = 0; pass < most_passes; ++pass) {
      for (int i = order.size() - 1; i > 0; --i) {
        int const other = order[i];
        int const j = random_below(i + 1);
        order[i] = order[j];
        order[j] = other;
      }
      for (int const e : order) {
        if (pass > 0 && !in_conflict(e)) continue;
        remove_tree(e);
        add_tree(e, steps);
        if (steps.spent()) return false;
      }
      if (!load.raise_prices()) return true;
    }
    return false;
  }

  /// If `in_place`, puts e only at the position that it has in the sender's register.
  AXE_FN constexpr void put(int* sends, int from, int e, bool in_place) const {
    for (int c = 0; c < x.per_word; ++c)
      if (sends[c] == e + 1) return;
    int const slot = x.slot_of(from, e);
    int at = in_place && slot >= 0 ? slot % x.per_word : 0;
    if (in_place && (slot < 0 || sends[at] != 0)) return;
    while (sends[at] != 0) ++at;
    sends[at] = e + 1;
  }
  AXE_FN constexpr void write(round_list& route) const {
    route.clear();
    for (int t = 0; t < rounds; ++t) route.push({});
    for (bool const in_place : {true, false})
      for (int const e : order)
        for (int l = 0; l < warp_lanes; ++l)
          for (exchange_shift const& s : symmetry) {
            if (source[e][l] == 0) break;
            int const from = (source[e][l] - 1) ^ s.lane;
            exchange_round& hop = route[round[e][l]];
            hop.reads[l ^ s.lane] = from + 1;
            put(hop.sends[from], from, e ^ s.element, in_place);
          }
  }
};

AXE_LAZY_FN constexpr bool find_route(warp_exchange const& x, int rounds, step_limit& steps,
                                      round_list& route) {
  if (rounds > congestion::most_rounds || x.elements > router::most_elements) return false;
  integer const steps_of_first_pass = count_paths(x) * (warp_lanes / 2) * rounds;
  if (__builtin_is_constant_evaluated() && steps_of_first_pass > steps.allowed) return false;
  for (int seed = 0; steps.taken < steps.allowed; ++seed) {
    router search(x, rounds, seed);
    ++steps.taken;
    if (!search.settle(steps)) continue;
    search.write(route);
    return true;
  }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
