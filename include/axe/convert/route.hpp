// The router: finds rounds in which lanes also relay elements, by negotiated congestion.
//
// An element spreads as a tree over (lane, round) from the lanes that hold it. A lane's word has
// room for 32 / width elements, and a lane reads one other lane. Resources that several trees use
// become more expensive in each pass, and the trees are routed again until no conflict is left.
// Source: L. McMurchie, C. Ebeling, "PathFinder: A Negotiation-Based Performance-Driven Router for
// FPGAs" (1995), with rounds instead of wires. Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/exchange.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Shifts of lanes and elements, l -> l ^ v and e -> e ^ a, that map an exchange to itself. A tree
/// is laid for one element of an orbit and shifted to the others.
struct exchange_symmetry {
  struct shift {
    int lane = 0, element = 0;
  };
  list<shift, warp_lanes> all;  // a group; the identity first

  AXE_FN static constexpr register_word shifted(register_word lanes, int by) {
    register_word out = 0;
    for (; lanes != 0; lanes &= lanes - 1) out |= register_word{1} << (lowest(lanes) ^ by);
    return out;
  }
  AXE_FN static constexpr bool is_symmetry(warp_exchange const& x, shift s) {
    for (int e = 0; e < x.source.elements; ++e)
      if (x.holders[e ^ s.element] != shifted(x.holders[e], s.lane) ||
          x.readers[e ^ s.element] != shifted(x.readers[e], s.lane))
        return false;
    return true;
  }
  AXE_FN constexpr bool has(shift s) const {
    for (shift const& other : all)
      if (other.lane == s.lane || other.element == s.element) return true;
    return false;
  }
  /// Finds a group of shifts; `seed` selects one of several.
  AXE_FN constexpr exchange_symmetry(warp_exchange const& x, int seed) {
    all.push({});
    int const n = x.source.elements;
    for (int i = 1; i < warp_lanes && (n & (n - 1)) == 0; ++i) {
      int const lane = i * (2 * seed + 1) % warp_lanes;
      for (int element = 1; element < n; ++element) {
        if (has({lane, element}) || !is_symmetry(x, {lane, element})) continue;
        for (int k = 0, size = all.size(); k < size; ++k)
          all.push({all[k].lane ^ lane, all[k].element ^ element});
      }
    }
  }
};

/// The ways that trees need: from an element to each lane that lacks it.
AXE_LAZY_FN constexpr integer ways_of(warp_exchange const& x) {
  integer ways = 0;
  for (int e = 0; e < x.source.elements; ++e) ways += number_of(x.readers[e]);
  return ways;
}

/// The most steps of the router for one plan: less than a second.
AXE_LAZY_FN constexpr integer most_steps_to_route(warp_exchange const& x) {
  return smaller(30'000, 64 * ways_of(x));
}

/// Part of a tree: in round `round`, lane `to` reads the element of lane `from`.
struct route_hop {
  signed char from, to, round;
  short next;  // 1 + the next hop of the element, or of the unused hops
};

struct router {
  static constexpr int most_rounds = 40;
  static constexpr int most_hops = 8192;
  static constexpr int most_elements = 2048;
  static constexpr int unit = 1024;            // the first price of a word and of a reading
  static constexpr int shared_price = 51;      // of a reading that another element pays for
  static constexpr int conflict_price = 1000;  // added after each pass that ends in conflict
  static constexpr int most_pressure = 200;    // in 64ths; a fifteenth more after each pass
  static constexpr int most_passes = 120;
  static constexpr int highest_price = 1 << 23;  // 2 * most_rounds of these stay below `nowhere`
  static constexpr int nowhere = 1 << 30;
  static constexpr signed char stays = -1, begins = -2;

  warp_exchange const& x;
  exchange_symmetry symmetry;
  int rounds;
  list<short, most_elements> order;  // one element of each orbit
  short first_hop[most_elements]{};  // 1 + hop
  route_hop hop[most_hops]{};
  short free_hop = 1;
  int ways = 0;
  stl::uint32_t drawn;
  int pressure = 32;

  short in_word[most_rounds][warp_lanes]{};  // elements that a lane sends
  int word_history[most_rounds][warp_lanes]{};
  int word_price[most_rounds][warp_lanes]{};          // of one element more
  short uses[most_rounds][warp_lanes][warp_lanes]{};  // of the reading of `to` from `from`
  register_word used[most_rounds][warp_lanes]{};      // lanes that `to` reads
  short all_uses[most_rounds][warp_lanes]{};
  int reading_history[most_rounds][warp_lanes]{};
  int reading_price[most_rounds][warp_lanes]{};  // of one lane more

  // For the element whose tree is laid:
  register_word known[most_rounds + 1]{};  // lanes that know it after so many rounds
  register_word sent[most_rounds]{};       // lanes that send it
  int distance[warp_lanes]{};              // the price for a lane to know it
  signed char came_from[most_rounds + 1][warp_lanes]{};

  AXE_FN constexpr router(warp_exchange const& exchange, int of_rounds, int seed)
      : x(exchange),
        symmetry(exchange, seed),
        rounds(of_rounds),
        drawn(2463534242u + static_cast<stl::uint32_t>(seed) * 2654435761u) {
    for (int e = 0; e < x.source.elements; ++e) {
      bool first = x.readers[e] != 0;
      for (auto const& s : symmetry.all) first = first && e <= (e ^ s.element);
      if (first) order.push(static_cast<short>(e));
    }
    for (int i = 0; i + 1 < most_hops; ++i) hop[i].next = static_cast<short>(i + 2);
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) set_prices(t, l);
  }

  AXE_FN constexpr int draw(int n) {
    drawn = drawn * 1664525u + 1013904223u;
    return static_cast<int>((drawn >> 8) % static_cast<stl::uint32_t>(n));
  }

  /// The price of a word or a reading that is promised `over` times too often.
  AXE_FN static constexpr int price(int history, int over, int pressure) {
    integer const all = (integer{unit} + history) * (64 + (over > 0 ? pressure * over : 0));
    return static_cast<int>(smaller(all / 64, highest_price));
  }
  AXE_FN constexpr void set_prices(int t, int l) {
    word_price[t][l] = price(word_history[t][l], in_word[t][l] + 1 - x.sub, pressure);
    reading_price[t][l] = price(reading_history[t][l], all_uses[t][l], pressure);
  }

  /// Counts a hop of the tree in hand, and its shifts.
  AXE_FN constexpr void count(int hop_from, int hop_to, int t, int change) {
    bool const sends = (sent[t] >> hop_from & 1) == 0;
    sent[t] |= register_word{1} << hop_from;
    for (auto const& s : symmetry.all) {
      int const from = hop_from ^ s.lane, to = hop_to ^ s.lane;
      register_word const bit = register_word{1} << from;
      short& n = uses[t][to][from];
      n = static_cast<short>(n + change);
      used[t][to] = n > 0 ? used[t][to] | bit : used[t][to] & ~bit;
      all_uses[t][to] = static_cast<short>(all_uses[t][to] + change);
      if (sends) in_word[t][from] = static_cast<short>(in_word[t][from] + change);
      set_prices(t, to);
      set_prices(t, from);
    }
  }

  AXE_FN constexpr void remove_tree(int e) {
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (int h = first_hop[e]; h != 0;) {
      route_hop& gone = hop[h - 1];
      int const after = gone.next;
      count(gone.from, gone.to, gone.round, -1);
      gone.next = free_hop;
      free_hop = static_cast<short>(h);
      h = after;
    }
    first_hop[e] = 0;
  }
  AXE_FN constexpr bool add_hop(int e, int from, int to, int t) {
    if (free_hop == 0) return false;
    short const number = free_hop;
    route_hop& made = hop[number - 1];
    free_hop = made.next;
    made = {static_cast<signed char>(from), static_cast<signed char>(to),
            static_cast<signed char>(t), first_hop[e]};
    first_hop[e] = number;
    count(from, to, t, 1);
    return true;
  }

  /// The price for lane d to read lane p in round t, beside that of p's word.
  AXE_FN constexpr int reading(int t, int d, int p) const {
    if ((used[t][d] >> p & 1) == 0) return reading_price[t][d];
    int const others = all_uses[t][d] - uses[t][d][p], history = reading_history[t][d];
    return shared_price + (others == 0 ? 0 : price(history, others, pressure) - (unit + history));
  }

  /// Finds the cheapest ways of the element to all lanes, and returns the nearest lane of `left`.
  AXE_FN constexpr int find_ways(register_word left) {
    int limit = nowhere, nearest = lowest(left);
    for (int& cost : distance) cost = nowhere;
    for (int t = 0;; ++t) {
      for (register_word begin = known[t]; begin != 0; begin &= begin - 1) {
        came_from[t][lowest(begin)] = begins;
        distance[lowest(begin)] = 0;
      }
      if (t == rounds) return nearest;
      for (signed char& from : came_from[t + 1]) from = stays;
      int offered[warp_lanes]{};
      register_word offers = 0;
      int best = -1, second = -1;
      for (int p = 0; p < warp_lanes; ++p) {
        if (distance[p] >= limit) continue;
        offered[p] = distance[p] + ((sent[t] >> p & 1) != 0 ? 0 : word_price[t][p]) + draw(64);
        offers |= register_word{1} << p;
        if (best < 0 || offered[p] < offered[best]) {
          second = best;
          best = p;
        } else if (second < 0 || offered[p] < offered[second]) {
          second = p;
        }
      }
      // In the last round only readers are of use.
      for (register_word rest = (t + 1 < rounds ? ~register_word{0} : left) & ~known[t + 1];
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
        // All lanes that d does not read yet have one price beside their offers.
        consider(best == d ? second : best);
        for (register_word some = used[t][d] & offers; some != 0; some &= some - 1)
          consider(lowest(some));
        if (from == stays) continue;
        distance[d] = least;
        came_from[t + 1][d] = static_cast<signed char>(from);
        if ((left >> d & 1) == 0) continue;
        limit = least;
        nearest = d;
      }
    }
  }

  /// Lays an element's tree, the nearest of its readers first. False if it does not fit.
  AXE_FN constexpr bool lay(int e, step_limit& steps) {
    for (int t = 0; t <= rounds; ++t) known[t] = x.holders[e];
    for (int t = 0; t < rounds; ++t) sent[t] = 0;
    for (register_word left = x.readers[e]; left != 0;) {
      steps.taken += steps_of_a_way();
      int const d = find_ways(left);
      left &= ~(register_word{1} << d);
      int l = d;
      for (int t = rounds; came_from[t][l] != begins; --t) {
        known[t] |= register_word{1} << l;
        int const p = came_from[t][l];
        if (p == stays) continue;
        if (!add_hop(e, p, l, t - 1)) return false;
        l = p;
      }
      for (int t = 1; t <= rounds; ++t) known[t] |= known[t - 1];
    }
    return true;
  }

  AXE_FN constexpr bool several(int t, int lane) const {
    return (used[t][lane] & (used[t][lane] - 1)) != 0;
  }
  AXE_FN constexpr bool in_conflict(int e) const {
    for (int h = first_hop[e]; h != 0; h = hop[h - 1].next)
      if (route_hop const& one = hop[h - 1];
          several(one.round, one.to) || in_word[one.round][one.from] > x.sub)
        return true;
    return false;
  }

  /// Raises the prices of all conflicts; false without a conflict.
  AXE_FN constexpr bool raise_prices() {
    bool any = false;
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        int const over = in_word[t][l] > x.sub ? in_word[t][l] - x.sub : 0;
        word_history[t][l] += conflict_price * over;
        reading_history[t][l] += several(t, l) ? conflict_price : 0;
        any = any || over > 0 || several(t, l);
      }
    pressure = pressure + pressure / 15 < most_pressure ? pressure + pressure / 15 : most_pressure;
    for (int t = 0; t < rounds && any; ++t)
      for (int l = 0; l < warp_lanes; ++l) set_prices(t, l);
    return any;
  }

  /// At run time a step is sixteen ways of eight rounds. In constant expressions, where compilers
  /// count, it is a part of one.
  AXE_FN constexpr integer steps_of_a_way() {
    if (__builtin_is_constant_evaluated()) return warp_lanes / 2 * rounds;
    return ++ways % 16 == 0 ? (rounds + 7) / 8 : 0;
  }

  /// True if all trees are laid without conflict.
  AXE_FN constexpr bool settle(step_limit& steps) {
    for (int pass = 0; pass < most_passes; ++pass) {
      for (int i = order.size() - 1; i > 0; --i) {
        short const other = order[i];
        int const j = draw(i + 1);
        order[i] = order[j];
        order[j] = other;
      }
      for (short const e : order) {
        if (pass > 0 && !in_conflict(e)) continue;
        remove_tree(e);
        if (!lay(e, steps) || steps.taken > steps.allowed) return false;
      }
      if (!raise_prices()) return true;
    }
    return false;
  }

  /// Puts an element into a word: at its own position if `in_place`, else at any.
  AXE_FN constexpr void put(short* word, int from, int e, bool in_place) const {
    for (int c = 0; c < x.sub; ++c)
      if (word[c] == e + 1) return;
    int const slot = x.slot_of(from, e);
    int at = in_place && slot >= 0 ? slot % x.sub : 0;
    if (in_place && (slot < 0 || word[at] != 0)) return;
    while (word[at] != 0) ++at;
    word[at] = static_cast<short>(e + 1);
  }
  /// The rounds of all trees.
  AXE_FN constexpr void write(round_list& out) const {
    out.clear();
    for (int t = 0; t < rounds; ++t) out.push({});
    for (bool const in_place : {true, false})
      for (short const e : order)
        for (int h = first_hop[e]; h != 0; h = hop[h - 1].next)
          for (auto const& s : symmetry.all) {
            exchange_round& round = out[hop[h - 1].round];
            int const from = hop[h - 1].from ^ s.lane, to = hop[h - 1].to ^ s.lane;
            round.reads[to] = static_cast<signed char>(from + 1);
            put(round.sends[from], from, e ^ s.element, in_place);
          }
  }
};

/// Searches a route of so many rounds, from seed after seed. False if the steps run out first.
AXE_LAZY_FN constexpr bool find_route(warp_exchange const& x, int rounds, step_limit& steps,
                                      round_list& out) {
  if (rounds > router::most_rounds || x.source.elements > router::most_elements) return false;
  // In a constant expression: can one pass end?
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
