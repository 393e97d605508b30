// SPDX-License-Identifier: MIT
// The router: finds rounds in which lanes also relay elements, by negotiated congestion.
//
// An element spreads as a tree over (lane, round) from the lanes that hold it. In each round a lane
// sends one word of 32 / width elements and reads one lane. Each pass raises the price of words and
// readings that several trees use, and routes these trees again, until all conflicts are gone.
// Source: L. McMurchie, C. Ebeling, "PathFinder: A Negotiation-Based Performance-Driven Router for
// FPGAs" (1995), with rounds instead of wires. Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/exchange.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A shift of lanes and elements, l -> l ^ v and e -> e ^ a, that maps an exchange to itself.
struct exchange_shift {
  int lane = 0, element = 0;
};
using exchange_symmetry = list<exchange_shift, warp_lanes>;

AXE_LAZY_FN constexpr register_word shifted(register_word lanes, int by) {
  register_word out = 0;
  for (; lanes != 0; lanes &= lanes - 1) out |= register_word{1} << (lowest(lanes) ^ by);
  return out;
}
/// A group of shifts of the exchange, the identity first; `seed` selects one of several groups.
AXE_LAZY_FN constexpr exchange_symmetry symmetry_of(warp_exchange const& x, int seed) {
  exchange_symmetry all;
  all.push({});
  int const n = x.elements;
  for (int i = 1; i < warp_lanes && is_power_of_two(n); ++i)
    for (int element = 1; element < n; ++element) {
      int const lane = i * (2 * seed + 1) % warp_lanes;
      bool maps = true;
      for (auto const& s : all) maps = maps && s.lane != lane && s.element != element;
      for (int e = 0; e < n && maps; ++e)
        maps = x.holders[e ^ element] == shifted(x.holders[e], lane) &&
               x.readers[e ^ element] == shifted(x.readers[e], lane);
      for (int k = 0, size = maps ? all.size() : 0; k < size; ++k)
        all.push({all[k].lane ^ lane, all[k].element ^ element});
    }
  return all;
}

/// The number of paths that the trees need: one for each lane and element that it lacks.
AXE_LAZY_FN constexpr integer ways_of(warp_exchange const& x) {
  integer ways = 0;
  for (int e = 0; e < x.elements; ++e) ways += count_bits(x.readers[e]);
  return ways;
}

/// The step limit of a plan at run time, in units of 2,048 steps: less than a second.
AXE_LAZY_FN constexpr integer most_steps_to_route(warp_exchange const& x) {
  return smaller(30'000, 64 * ways_of(x));
}

struct router {
  /// A word that a lane sends in one round, or what it reads.
  struct resource {
    int uses = 0, history = 0;
    int price = 0;  // of one use more
  };
  static constexpr int most_rounds = 40;
  static constexpr int most_elements = 2048;
  static constexpr int unit = 1024;            // the first price of a word and of a reading
  static constexpr int shared_price = 51;      // of a reading that another element pays for
  static constexpr int conflict_price = 1000;  // added after each pass that ends in conflict
  // Pressure is counted in 64ths and grows by a fifteenth in each pass.
  static constexpr int most_pressure = 200;
  static constexpr int most_passes = 120;
  static constexpr int highest_price = 1 << 23;  // 2 * most_rounds of these stay below `nowhere`
  static constexpr int nowhere = 1 << 30;
  static constexpr int stays = -1, begins = -2;

  warp_exchange const& x;
  exchange_symmetry symmetry;
  int rounds;
  list<int, most_elements> order;  // one element of each orbit of `symmetry`
  // The tree of an element: 1 + the lane that each lane reads, or 0, and the round.
  signed char source[most_elements][warp_lanes]{};
  signed char round[most_elements][warp_lanes]{};
  stl::uint32_t drawn;
  int pressure = 32;

  resource word[most_rounds][warp_lanes]{};         // sent by a lane; uses: elements
  resource read[most_rounds][warp_lanes]{};         // read by a lane; uses: elements
  int uses[most_rounds][warp_lanes][warp_lanes]{};  // elements that `to` reads from `from`
  register_word used[most_rounds][warp_lanes]{};    // lanes that `to` reads

  // For the element that is routed:
  register_word known[most_rounds + 1]{};  // lanes that know it, after so many rounds
  register_word sent[most_rounds]{};       // lanes that send it
  int distance[warp_lanes]{};              // the price for a lane to know it
  int came_from[most_rounds + 1][warp_lanes]{};

  AXE_FN constexpr router(warp_exchange const& exchange, int of_rounds, int seed)
      : x(exchange),
        symmetry(symmetry_of(exchange, seed)),
        rounds(of_rounds),
        drawn(2463534242u + static_cast<stl::uint32_t>(seed) * 2654435761u) {
    for (int e = 0; e < x.elements; ++e) {
      bool first = x.readers[e] != 0;
      for (auto const& s : symmetry) first = first && e <= (e ^ s.element);
      if (first) order.push(e);
    }
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) set_prices(t, l);
  }

  AXE_FN constexpr int draw(int n) {
    drawn = drawn * 1664525u + 1013904223u;
    return static_cast<int>((drawn >> 8) % static_cast<stl::uint32_t>(n));
  }

  AXE_FN static constexpr int price(int history, int over, int pressure) {
    integer const all = (integer{unit} + history) * (64 + (over > 0 ? pressure * over : 0));
    return static_cast<int>(smaller(all / 64, highest_price));
  }
  AXE_FN constexpr void set_prices(int t, int l) {
    resource &sends = word[t][l], &reads = read[t][l];
    sends.price = price(sends.history, sends.uses + 1 - x.sub, pressure);
    reads.price = price(reads.history, reads.uses, pressure);
  }

  /// Adds `change` to the uses of one hop of the current tree, and of its images under the shifts.
  AXE_FN constexpr void count(int hop_from, int hop_to, int t, int change) {
    bool const sends = (sent[t] >> hop_from & 1) == 0;
    sent[t] |= register_word{1} << hop_from;
    for (auto const& s : symmetry) {
      int const from = hop_from ^ s.lane, to = hop_to ^ s.lane;
      register_word const bit = register_word{1} << from;
      int const n = uses[t][to][from] += change;
      used[t][to] = n > 0 ? used[t][to] | bit : used[t][to] & ~bit;
      read[t][to].uses += change;
      if (sends) word[t][from].uses += change;
      set_prices(t, to);
      set_prices(t, from);
    }
  }

  AXE_FN constexpr void remove_tree(int e) {
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      if (source[e][l] != 0) count(source[e][l] - 1, l, round[e][l], -1);
      source[e][l] = 0;
    }
  }

  /// The price for lane d to read lane p, beside that of p's word.
  AXE_FN constexpr int reading(int t, int d, int p) const {
    resource const& reads = read[t][d];
    if ((used[t][d] >> p & 1) == 0) return reads.price;
    int const others = reads.uses - uses[t][d][p];
    return shared_price + price(reads.history, others, pressure) -
           price(reads.history, 0, pressure);
  }

  /// Finds the cheapest paths of the element. Returns the lane in `left` with the cheapest path.
  AXE_FN constexpr int find_ways(register_word left) {
    int limit = nowhere, nearest = lowest(left);
    for (int& cost : distance) cost = nowhere;
    for (int t = 0;; ++t) {
      for (register_word begin = known[t]; begin != 0; begin &= begin - 1) {
        came_from[t][lowest(begin)] = begins;
        distance[lowest(begin)] = 0;
      }
      if (t == rounds) return nearest;
      for (int& from : came_from[t + 1]) from = stays;
      int offered[warp_lanes]{};
      register_word offers = 0;
      int best = -1, second = -1;
      for (int p = 0; p < warp_lanes; ++p) {
        if (distance[p] >= limit) continue;
        offered[p] = distance[p] + ((sent[t] >> p & 1) != 0 ? 0 : word[t][p].price) + draw(64);
        offers |= register_word{1} << p;
        if (best < 0 || offered[p] < offered[best]) {
          second = best;
          best = p;
        } else if (second < 0 || offered[p] < offered[second]) {
          second = p;
        }
      }
      // A tree enters a lane once. In the last round only readers matter.
      for (register_word rest = (t + 1 < rounds ? ~register_word{0} : left) & ~known[rounds];
           rest != 0; rest &= rest - 1) {
        int const d = lowest(rest);
        int least = distance[d] < limit ? distance[d] : limit, from = stays;
        auto const consider = [&](int p) {
          if (p < 0 || p == d) return;
          int const cost = offered[p] + reading(t, d, p);
          if (cost >= least) return;
          least = cost;
          from = p;
        };
        // Lanes that d does not read yet differ only in their offers.
        consider(best == d ? second : best);
        for (register_word some = used[t][d] & offers; some != 0; some &= some - 1)
          consider(lowest(some));
        if (from == stays) continue;
        distance[d] = least;
        came_from[t + 1][d] = from;
        if ((left >> d & 1) == 0) continue;
        limit = least;
        nearest = d;
      }
    }
  }

  /// Lays a path to each reader of the element, the nearest reader first.
  AXE_FN constexpr void lay(int e, step_limit& steps) {
    for (int t = 0; t <= rounds; ++t) known[t] = x.holders[e];
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (register_word left = x.readers[e]; left != 0;) {
      steps.taken += warp_lanes / 2 * rounds;
      int const d = find_ways(left);
      left &= ~(register_word{1} << d);
      int l = d;
      for (int t = rounds; came_from[t][l] != begins; --t) {
        known[t] |= register_word{1} << l;
        int const p = came_from[t][l];
        if (p == stays) continue;
        source[e][l] = static_cast<signed char>(p + 1);
        round[e][l] = static_cast<signed char>(t - 1);
        count(p, l, t - 1, 1);
        l = p;
      }
      for (int t = 1; t <= rounds; ++t) known[t] |= known[t - 1];
    }
  }

  AXE_FN constexpr bool several(int t, int lane) const {
    return (used[t][lane] & (used[t][lane] - 1)) != 0;
  }
  AXE_FN constexpr bool in_conflict(int e) const {
    for (int l = 0; l < warp_lanes; ++l)
      if (int const from = source[e][l] - 1, t = round[e][l];
          from >= 0 && (several(t, l) || word[t][from].uses > x.sub))
        return true;
    return false;
  }

  /// Raises the prices of words and readings in conflict. False if there is no conflict.
  AXE_FN constexpr bool raise_prices() {
    bool any = false;
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        int const over = word[t][l].uses > x.sub ? word[t][l].uses - x.sub : 0;
        word[t][l].history += conflict_price * over;
        read[t][l].history += conflict_price * several(t, l);
        any = any || over > 0 || several(t, l);
      }
    pressure += pressure < most_pressure ? pressure / 15 : 0;
    for (int t = 0; t < rounds && any; ++t)
      for (int l = 0; l < warp_lanes; ++l) set_prices(t, l);
    return any;
  }

  AXE_FN constexpr bool settle(step_limit& steps) {
    for (int pass = 0; pass < most_passes; ++pass) {
      for (int i = order.size() - 1; i > 0; --i) {
        int const other = order[i];
        int const j = draw(i + 1);
        order[i] = order[j];
        order[j] = other;
      }
      for (int const e : order) {
        if (pass > 0 && !in_conflict(e)) continue;
        remove_tree(e);
        lay(e, steps);
        if (steps.taken > steps.allowed) return false;
      }
      if (!raise_prices()) return true;
    }
    return false;
  }

  /// Puts an element into a word, `in_place` only at its position in the sender's register.
  AXE_FN constexpr void put(int* sends, int from, int e, bool in_place) const {
    for (int c = 0; c < x.sub; ++c)
      if (sends[c] == e + 1) return;
    int const slot = x.slot_of(from, e);
    int at = in_place && slot >= 0 ? slot % x.sub : 0;
    if (in_place && (slot < 0 || sends[at] != 0)) return;
    while (sends[at] != 0) ++at;
    sends[at] = e + 1;
  }
  AXE_FN constexpr void write(round_list& out) const {
    out.clear();
    for (int t = 0; t < rounds; ++t) out.push({});
    for (bool const in_place : {true, false})
      for (int const e : order)
        for (int l = 0; l < warp_lanes; ++l)
          for (exchange_shift const& s : symmetry) {
            if (source[e][l] == 0) break;
            int const from = (source[e][l] - 1) ^ s.lane;
            out[round[e][l]].reads[l ^ s.lane] = from + 1;
            put(out[round[e][l]].sends[from], from, e ^ s.element, in_place);
          }
  }
};

AXE_LAZY_FN constexpr bool find_route(warp_exchange const& x, int rounds, step_limit& steps,
                                      round_list& out) {
  if (rounds > router::most_rounds || x.elements > router::most_elements) return false;
  // In a constant expression, a pass is not begun if it would take more steps than are allowed.
  if (__builtin_is_constant_evaluated() && ways_of(x) * (warp_lanes / 2) * rounds > steps.allowed)
    return false;
  for (int start = 0; steps.taken < steps.allowed; ++start) {
    router search(x, rounds, start);
    ++steps.taken;
    if (!search.settle(steps)) continue;
    search.write(out);
    return true;
  }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
