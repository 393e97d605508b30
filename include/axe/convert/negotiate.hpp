// Routes by negotiation: every element takes the cheapest ways to the lanes that lack it, what is
// wanted twice grows dearer, and who has a choice gives way.
//
//     a word        lane p puts up in round t: room for c = 32 / width elements
//     a reading     lane d in round t: of one lane
//
// An element spreads as a tree over pairs of lane and round, from all lanes that hold it; staying
// in a lane is free. A full word, and a reading of another lane, cost more the more trees they are
// promised to, and more each time they were; trees in conflict are taken up and laid anew until
// none is left. Unlike the search backwards (convert/route.hpp), all rounds are in view: multicasts
// share words, idle lanes gather what fills a word for one reader.
// Source: L. McMurchie, C. Ebeling, "PathFinder: A Negotiation-Based Performance-Driven Router for
// FPGAs" (1995), on rounds instead of wires.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/symmetry.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A part of a tree: in round `round` lane `to` reads the element of lane `from`.
struct route_hop {
  signed char from, to, round;
  short next;  // 1 + the next hop of the element, or of the free ones
};

struct negotiation {
  static constexpr int most_rounds = 40;
  static constexpr int most_hops = 8192;
  static constexpr int most_elements = lane_symmetry::most_elements;
  static constexpr int unit = 1024;        // what a word or a reading costs at first
  static constexpr int most_noise = 64;    // added to a word
  static constexpr int shared_price = 51;  // of a reading that another element of the word pays for
  static constexpr int quarrel_price = 1000;     // added after each pass that ends in conflict
  static constexpr int most_pressure = 200;      // in 64ths, a fifteenth more after each pass
  static constexpr int passes_of_a_start = 300;  // then another order is begun with
  static constexpr int highest_price = 1 << 23;  // 2 * most_rounds of them are less than nowhere
  static constexpr int nowhere = 1 << 30;
  static constexpr int onward = unit + shared_price;  // at least what it costs to be read once more
  static constexpr signed char stays = -1, begins = -2;

  lane_symmetry symmetry{};
  short first_hop[most_elements]{};  // 1 + hop
  short order[most_elements]{};
  route_hop hop[most_hops]{};
  int elements = 0, rounds = 0, sub = 1;
  short free_hop = 0;
  int ways = 0;
  bool fits = true;
  stl::uint32_t drawn = 2463534242u, noise = 1;
  int pressure = 0;

  short in_word[most_rounds][warp_lanes]{};  // elements that a lane puts up
  int word_history[most_rounds][warp_lanes]{};
  int word_price[most_rounds][warp_lanes]{};          // of one element more
  short uses[most_rounds][warp_lanes][warp_lanes]{};  // of the reading of `to` from `from`
  register_word used[most_rounds][warp_lanes]{};      // lanes that have uses
  short all_uses[most_rounds][warp_lanes]{};
  int reading_history[most_rounds][warp_lanes]{};
  int reading_price[most_rounds][warp_lanes]{};  // of one lane more

  register_word
      known[most_rounds + 1]{};         // of the element in hand: lanes that know it after a round
  register_word put_up[most_rounds]{};  // lanes that put it up
  int distance[warp_lanes]{};  // what it costs that a lane knows it, as far as it is spread
  signed char came_from[most_rounds + 1][warp_lanes]{};

  AXE_FN constexpr negotiation(lacking const& lack, int number_of_rounds, symmetry_order symmetries,
                               int seed)
      : rounds(number_of_rounds), sub(lack.sub) {
    fits = lack.fits && rounds <= most_rounds;
    for (int d = 0; d < warp_lanes && fits; ++d)
      for (int i = lack.from[d]; i < lack.from[d + 1] && fits; ++i) {
        int const e = lack.element[i];
        fits = e < most_elements;
        if (!fits) break;
        if (symmetry.readers[e] == 0) order[elements++] = static_cast<short>(e);
        symmetry.readers[e] |= register_word{1} << d;
        symmetry.holders[e] = lack.where.lanes[e];
      }
    if (fits) elements = symmetry.divide(symmetries, seed, order, elements);
  }

  AXE_FN constexpr int draw(int n) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 17;
    drawn ^= drawn << 5;
    return static_cast<int>(drawn % static_cast<stl::uint32_t>(n));
  }

  /// Forgets all trees and prices.
  AXE_FN constexpr void start(int which) {
    drawn = 2463534242u + static_cast<stl::uint32_t>(which) * 2654435761u;
    noise = drawn;
    pressure = 32;
    for (int i = 0; i < most_hops; ++i)
      hop[i].next = static_cast<short>(i + 1 < most_hops ? i + 2 : 0);
    free_hop = 1;
    for (short& h : first_hop) h = 0;
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        in_word[t][l] = all_uses[t][l] = 0;
        used[t][l] = 0;
        word_history[t][l] = reading_history[t][l] = 0;
        for (short& n : uses[t][l]) n = 0;
        set_word_price(t, l);
        set_reading_price(t, l);
      }
  }

  AXE_FN static constexpr int price(int history, int over, int pressure) {
    integer const all = (integer{unit} + history) * (64 + (over > 0 ? pressure * over : 0));
    return all < integer{64} * highest_price ? static_cast<int>(all >> 6) : highest_price;
  }
  AXE_FN constexpr void set_word_price(int t, int l) {
    word_price[t][l] = price(word_history[t][l], in_word[t][l] + 1 - sub, pressure);
  }
  AXE_FN constexpr void set_reading_price(int t, int l) {
    reading_price[t][l] = price(reading_history[t][l], all_uses[t][l], pressure);
  }

  /// Takes an element's tree up, and those of its orbit.
  AXE_FN constexpr void take_up_orbit(int e) {
    take_up(e);
    for (int other = symmetry.member[e]; other != 0; other = symmetry.member[other - 1])
      take_up(other - 1);
  }
  AXE_FN constexpr void take_up(int e) {
    for (int t = 0; t < rounds; ++t) put_up[t] = 0;
    for (int h = first_hop[e]; h != 0;) {
      route_hop& gone = hop[h - 1];
      int const after = gone.next, t = gone.round;
      --all_uses[t][gone.to];
      if (--uses[t][gone.to][gone.from] == 0) used[t][gone.to] &= ~(register_word{1} << gone.from);
      set_reading_price(t, gone.to);
      if ((put_up[t] >> gone.from & 1) == 0) {
        --in_word[t][gone.from];
        set_word_price(t, gone.from);
      }
      put_up[t] |= register_word{1} << gone.from;
      gone.next = free_hop;
      free_hop = static_cast<short>(h);
      h = after;
    }
    first_hop[e] = 0;
  }

  /// Adds a hop to the tree of an element; false where there is no room for it.
  AXE_FN constexpr bool add_hop(int e, int from, int to, int t) {
    if (free_hop == 0) return false;
    route_hop& made = hop[free_hop - 1];
    short const number = free_hop;
    free_hop = made.next;
    made = {static_cast<signed char>(from), static_cast<signed char>(to),
            static_cast<signed char>(t), first_hop[e]};
    first_hop[e] = number;
    ++all_uses[t][to];
    ++uses[t][to][from];
    used[t][to] |= register_word{1} << from;
    set_reading_price(t, to);
    if ((put_up[t] >> from & 1) == 0) {
      ++in_word[t][from];
      set_word_price(t, from);
    }
    put_up[t] |= register_word{1} << from;
    return true;
  }

  /// Moves the tree of an element to the others of its orbit.
  AXE_FN constexpr bool lay_orbit(int e) {
    for (int other = symmetry.member[e]; other != 0; other = symmetry.member[other - 1]) {
      int const g = symmetry.by[other - 1];
      for (int t = 0; t < rounds; ++t) put_up[t] = 0;
      for (int h = first_hop[e]; h != 0; h = hop[h - 1].next)
        if (route_hop const one = hop[h - 1];
            !add_hop(other - 1, symmetry.move(g, one.from), symmetry.move(g, one.to), one.round))
          return false;
    }
    return true;
  }

  /// What it costs that lane d reads lane p in round t, beside p's word.
  AXE_FN constexpr int reading(int t, int d, int p) const {
    if ((used[t][d] >> p & 1) == 0) return reading_price[t][d];
    int const others = all_uses[t][d] - uses[t][d][p], history = reading_history[t][d];
    return shared_price + (others == 0 ? 0 : price(history, others, pressure) - (unit + history));
  }

  /// No reader of the element in hand is farther than this.
  AXE_FN constexpr int straight_way(int d) const {
    int least = nowhere;
    for (register_word holders = known[0]; holders != 0; holders &= holders - 1) {
      int const p = lowest(holders);
      for (int t = 0; t < rounds; ++t)
        if (int const cost = word_price[t][p] + reading(t, d, p); cost < least) least = cost;
    }
    return least + most_noise;
  }

  /// The cheapest way for the element in hand to the nearest of the lanes `left`, which is
  /// returned. Lanes that are farther away are not gone on from.
  AXE_FN constexpr int spread_out(register_word left) {
    int limit = straight_way(lowest(left)), nearest = lowest(left);
    register_word active = 0;
    for (int& cost : distance) cost = nowhere;
    for (int t = 0;; ++t) {
      for (register_word begin = known[t]; begin != 0; begin &= begin - 1) {
        int const l = lowest(begin);
        came_from[t][l] = begins;
        distance[l] = 0;
      }
      active |= known[t];
      if (t == rounds) break;
      for (signed char& from : came_from[t + 1]) from = stays;
      int offered[warp_lanes]{};
      register_word offers = 0;
      int best = -1, second = -1, least_offer = nowhere, second_offer = nowhere;
      for (register_word rest = active; rest != 0; rest &= rest - 1) {
        int const p = lowest(rest);
        if (distance[p] >= limit) continue;
        int offer = distance[p];
        if ((put_up[t] >> p & 1) == 0) offer += word_price[t][p];
        noise = noise * 1664525u + 1013904223u;
        offer += static_cast<int>(noise >> 26);
        if (offer + shared_price >= limit) continue;
        offered[p] = offer;
        offers |= register_word{1} << p;
        if (offer < least_offer) {
          second = best;
          second_offer = least_offer;
          best = p;
          least_offer = offer;
        } else if (offer < second_offer) {
          second = p;
          second_offer = offer;
        }
      }
      if (offers == 0) continue;
      // What costs as much as a first reading, beside the cheapest word, may be too dear for every
      // lane.
      bool const afresh = least_offer + unit < limit;
      // The same of a lane that passes the element on: nobody goes on from it who could not get to
      // a reader.
      bool const goes_on = t + 1 < rounds && least_offer + shared_price + onward < limit;
      for (register_word rest = (goes_on ? ~register_word{0} : left) & ~known[t + 1]; rest != 0;
           rest &= rest - 1) {
        int const d = lowest(rest);
        register_word const some_reads = used[t][d] & offers;
        if (some_reads == 0 && !afresh) continue;
        bool const ends = (left >> d & 1) != 0;
        int const most = ends ? limit : limit - onward;
        int least = distance[d] < most ? distance[d] : most;
        int from = stays;
        if (int const p = best == d ? second : best; p >= 0 && (some_reads >> p & 1) == 0)
          if (int const cost = offered[p] + reading_price[t][d]; cost < least) {
            least = cost;
            from = p;
          }
        for (register_word some = some_reads & ~(register_word{1} << d); some != 0;
             some &= some - 1) {
          int const p = lowest(some), cost = offered[p] + reading(t, d, p);
          if (cost >= least) continue;
          least = cost;
          from = p;
        }
        if (from == stays) continue;
        distance[d] = least;
        came_from[t + 1][d] = static_cast<signed char>(from);
        active |= register_word{1} << d;
        if (!ends) continue;
        limit = least;
        nearest = d;
      }
    }
    return nearest;
  }

  /// Lays an element's tree, the nearest of its readers first. False where there is no room for it.
  AXE_FN constexpr bool lay(int e, step_limit& steps) {
    for (int t = 0; t <= rounds; ++t) known[t] = symmetry.holders[e];
    for (int t = 0; t < rounds; ++t) put_up[t] = 0;
    for (register_word left = symmetry.readers[e]; left != 0;) {
      steps.taken += steps_of_a_way();
      int const d = spread_out(left);
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
    return lay_orbit(e);
  }

  AXE_FN constexpr bool torn(int round, int lane) const {
    return (used[round][lane] & (used[round][lane] - 1)) != 0;
  }
  AXE_FN constexpr bool in_conflict(int e) const {
    for (int h = first_hop[e]; h != 0; h = hop[h - 1].next)
      if (route_hop const& one = hop[h - 1];
          torn(one.round, one.to) || in_word[one.round][one.from] > sub)
        return true;
    return false;
  }

  /// Raises the prices of what is wanted too often; false where nothing is.
  AXE_FN constexpr bool raise() {
    bool any = false;
    for (int t = 0; t < rounds; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        if (int const over = in_word[t][l] - sub; over > 0) {
          word_history[t][l] += quarrel_price * over;
          any = true;
        }
        if (torn(t, l)) {
          reading_history[t][l] += quarrel_price;
          any = true;
        }
      }
    pressure += pressure / 15;
    if (pressure > most_pressure) pressure = most_pressure;
    for (int t = 0; t < rounds && any; ++t)
      for (int l = 0; l < warp_lanes; ++l) {
        set_word_price(t, l);
        set_reading_price(t, l);
      }
    return any;
  }

  /// Steps of one way. A constant expression pays for each round and lane; where nothing counts, a
  /// step buys sixteen ways of eight rounds.
  AXE_FN constexpr int steps_of_a_way() {
    if (__builtin_is_constant_evaluated()) return 4 * warp_lanes * rounds;
    return ++ways % 16 == 0 ? (rounds + 7) / 8 : 0;
  }

  /// One start: true when every tree is laid and nothing is in conflict.
  AXE_FN constexpr bool settle(int which, step_limit& steps) {
    start(which);
    for (int pass = 0; pass < passes_of_a_start; ++pass) {
      for (int i = elements - 1; i > 0; --i) {
        int const j = draw(i + 1);
        short const other = order[i];
        order[i] = order[j];
        order[j] = other;
      }
      for (int i = 0; i < elements; ++i) {
        int const e = order[i];
        if (pass > 0 && !in_conflict(e)) continue;
        take_up_orbit(e);
        if (!lay(e, steps) || steps.taken > steps.allowed) return false;
      }
      if (!raise()) return true;
    }
    return false;
  }

  AXE_FN constexpr void write(route_list& out) const {
    out.clear();
    for (int t = 0; t < rounds; ++t) out.push({});
    for (int e = 0; e < most_elements; ++e)
      for (int h = first_hop[e]; h != 0; h = hop[h - 1].next) {
        route_hop const& one = hop[h - 1];
        route_round& round = out[one.round];
        round.reads[one.to] = static_cast<signed char>(one.from + 1);
        short* word = round.sends[one.from];
        while (*word != 0 && *word != e + 1) ++word;
        *word = static_cast<short>(e + 1);
      }
  }
};

/// A route of `rounds` rounds in which everybody gives way, from the drawn order `first_start` on.
/// False where none is found in the steps.
AXE_LAZY_FN constexpr bool negotiate_route(lacking const& lack, int rounds, int first_start,
                                           step_limit& steps, route_list& out) {
  if (rounds > negotiation::most_rounds || !lack.fits) return false;
  // A first pass that cannot end is none.
  integer a_way = 0;
  if (__builtin_is_constant_evaluated()) a_way = 4 * warp_lanes * rounds;
  if (steps.taken + a_way * lack.from[warp_lanes] >= steps.allowed) return false;
  integer const allowed = steps.allowed;
  constexpr symmetry_order orders[] = {symmetry_order::small_first, symmetry_order::large_first,
                                       symmetry_order::drawn, symmetry_order::none};
  for (int turn = first_start; steps.taken < allowed; turn += 3)
    for (symmetry_order order : orders) {
      negotiation all(lack, rounds, order, turn);
      if (!all.fits) return false;
      if (order != symmetry_order::none && all.symmetry.size == 1) continue;
      // From the second turn on as many starts as trees are alike: they cost no more than one start
      // of all trees.
      int const starts = turn == first_start ? 1 : all.symmetry.size;
      for (int start = 0; start < starts && steps.taken < allowed; ++start) {
        ++steps.taken;
        if (!all.settle(turn + 1000 * start, steps)) continue;
        all.write(out);
        return true;
      }
    }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
