// Routes: rounds in which lanes pass on what they have read, searched backwards from what every
// lane must hold in the end.
//
//     a demand      lane d must hold element e after round k
//     an ask        in round k lane d reads lane p: up to c of its demands go to p, which must hold them after round k - 1
//
// A demand ends where its lane holds the element, and is one with an equal demand there; a route of
// R rounds has none left before its first. Lanes with the most words to read ask first, each the
// lane that leaves itself and that lane no more words than rounds, resolves most, and is nearest;
// what does not fill a word straight from its holder goes through lanes with time to gather it
// (three bytes of three lanes: two rounds). Orders that suit butterflies are tried first, then
// cyclic ones, then drawn ones, a step of the budget for each lane that is looked at.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/lacking.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int steps_of_an_ask =
    4;  // in constant expressions: clang takes 200 of its own for one
inline constexpr int asks_of_a_step = 256;  // at run time: as long as the ways that a step buys

/// A lane's demand. Its home is one of the lanes that hold the element.
struct demand {
  short element;
  short next;  // 1 + the next of this lane and home
  signed char home;
};

/// What a lane asks of another.
struct ask {
  int from = -1;
  integer cost = 0;
  int size = 0;
  short demand[4]{};
};

struct router {
  lacking const& lack;
  step_limit& steps;
  int variant, asks = 0;
  stl::uint32_t drawn = 2463534242u;

  demand all[most_demands]{};
  short first[warp_lanes][warp_lanes]{};  // 1 + demand, by lane and home
  short after[warp_lanes][warp_lanes]{};  // how many will be left of them after this round
  register_word homes[warp_lanes]{};      // of the demands that a lane may ask in this round
  short words[warp_lanes]{};              // reads that those take, each of one home
  short total[warp_lanes]{};              // their number
  register_word wanted[warp_lanes * most_slots]{};  // lanes by element
  short unsent[warp_lanes]{};   // elements that this lane alone holds and others demand
  short word[warp_lanes][4]{};  // 1 + the elements that a lane puts up in this round
  signed char filled[warp_lanes]{};
  bool asked[warp_lanes]{};
  list<short, 4 * warp_lanes> added{};  // demands that this round adds
  signed char added_to[4 * warp_lanes]{};

  AXE_FN constexpr router(lacking const& what, step_limit& budget, int which)
      : lack(what), steps(budget), variant(which) {
    short load[warp_lanes]{};
    for (int d = 0; d < warp_lanes; ++d) settle(d, load);
  }

  AXE_FN constexpr bool holds(int lane, int element) const {
    return (lack.where.lanes[element] >> lane & 1) != 0;
  }
  AXE_FN constexpr int draw(int n) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 17;
    drawn ^= drawn << 5;
    return static_cast<int>(drawn % static_cast<stl::uint32_t>(n));
  }
  AXE_FN constexpr bool draws() const { return variant >= 16; }
  /// How far lane b is from lane a, in the order that is tried.
  AXE_FN constexpr int distance(int a, int b) const {
    if ((variant & 3) == 1) return (a - b) & 31;
    if ((variant & 3) == 2) return (b - a) & 31;
    int const mask = a ^ b;
    if ((variant & 3) == 0) return mask;
    return (mask & 1) << 4 | (mask & 2) << 2 | (mask & 4) | (mask & 8) >> 2 | (mask & 16) >> 4;
  }

  AXE_FN constexpr void adopt(int d, int i, int home) {
    all[i] = {lack.element[i], first[d][home], static_cast<signed char>(home)};
    first[d][home] = static_cast<short>(i + 1);
    homes[d] |= register_word{1} << home;
    wanted[all[i].element] |= register_word{1} << d;
    count(d, home, 1);
  }

  /// Gives every demand of a lane a home: the only lane that holds it; where there are copies, the
  /// lane that holds most of what the lane lacks, then the next.
  AXE_FN constexpr void settle(int d, short* load) {
    int const begin = lack.from[d], end = lack.from[d + 1];
    for (int i = end - 1; i >= begin && !lack.copies; --i)
      adopt(d, i, lowest(lack.where.lanes[lack.element[i]]));
    bool settled[most_slots]{};
    for (int left = lack.copies ? end - begin : 0; left > 0;) {
      int best = -1;
      integer best_value = 0;
      for (int s = 0; s < warp_lanes; ++s) {
        int held = 0;
        for (int i = begin; i < end; ++i)
          held += !settled[i - begin] && holds(s, lack.element[i]) ? 1 : 0;
        if (held == 0) continue;
        integer const value =
            (1000 * held - load[s] - (draws() ? draw(8) : 0)) * 32 - distance(s, d);
        if (best < 0 || value > best_value) {
          best = s;
          best_value = value;
        }
      }
      for (int i = end - 1; i >= begin; --i) {
        if (settled[i - begin] || !holds(best, lack.element[i])) continue;
        settled[i - begin] = true;
        --left;
        ++load[best];
        adopt(d, i, best);
      }
    }
  }

  AXE_FN constexpr void count(int lane, int home, int change) {
    short& n = after[lane][home];
    words[lane] = static_cast<short>(words[lane] - (n + lack.sub - 1) / lack.sub);
    n = static_cast<short>(n + change);
    words[lane] = static_cast<short>(words[lane] + (n + lack.sub - 1) / lack.sub);
    total[lane] = static_cast<short>(total[lane] + change);
  }

  /// The demand of a lane for an element, 1 + its number; 0: it has none, or none that this round
  /// could ask.
  AXE_FN constexpr int find(int lane, int element) const {
    if ((wanted[element] >> lane & 1) == 0) return 0;
    for (register_word held = lack.where.lanes[element]; held != 0; held &= held - 1)
      for (int n = first[lane][lowest(held)]; n != 0; n = all[n - 1].next)
        if (all[n - 1].element == element) return n;
    return 0;
  }

  AXE_FN constexpr bool in_word(int lane, int element) const {
    for (int c = 0; c < filled[lane]; ++c)
      if (word[lane][c] == element + 1) return true;
    return false;
  }
  AXE_FN static constexpr bool in(ask const& a, int number) {
    for (int i = 0; i < a.size; ++i)
      if (a.demand[i] == number) return true;
    return false;
  }

  /// What an ask would change.
  struct effect {
    int mine = 0, theirs = 0;  // words
    int resolved = 0, fresh = 0;
    int room = 0;
  };

  AXE_FN constexpr void put(ask& a, effect& e, int d, int number, bool is_free) const {
    demand const& what = all[number];
    int same = 0, same_passed = 0;
    for (int i = 0; i < a.size; ++i) {
      demand const& other = all[a.demand[i]];
      if (other.home != what.home) continue;
      ++same;
      same_passed +=
          !holds(a.from, other.element) && (wanted[other.element] >> a.from & 1) == 0 ? 1 : 0;
    }
    e.mine += (after[d][what.home] - same - 1) % lack.sub == 0 ? -1 : 0;
    if (holds(a.from, what.element)) {
      ++e.resolved;
      e.fresh += is_free ? 0 : 1;
    } else if (is_free) {
      ++e.resolved;
    } else if ((wanted[what.element] >> a.from & 1) == 0) {
      e.theirs += (after[a.from][what.home] + same_passed) % lack.sub == 0 ? 1 : 0;
    }
    e.room -= is_free ? 0 : 1;
    a.demand[a.size++] = static_cast<short>(number);
  }

  AXE_FN constexpr integer cost(ask const& a, effect const& e, int d, int k) {
    int const limit = asked[a.from] ? k - 1 : k, before = words[a.from];
    int const mine = words[d] + e.mine - (k - 1), theirs = before + e.theirs - limit;
    int const over =
        (mine > 0 ? mine : 0) + (theirs > 0 ? theirs : 0) - (before > limit ? before - limit : 0);
    integer c = 1000 * over;
    if (total[d] - a.size > lack.sub * (k - 1)) c += 100'000;
    c += 5 * (a.size - e.resolved) - 20 * e.resolved + 4 * e.theirs + before;
    if ((unsent[a.from] + lack.sub - 1) / lack.sub >= k) c -= 40 * e.fresh;
    if (draws()) c += draw(15);
    return c * 32 + distance(a.from, d);
  }

  AXE_FN constexpr void keep_better(ask& best, ask& now, effect const& e, int d, int k) {
    now.cost = cost(now, e, d, k);
    if (best.from < 0 || now.cost < best.cost) best = now;
  }

  /// The home of whose demands a part of a word is left, which is best passed on by lane p; -1:
  /// none fits.
  AXE_FN constexpr int home_to_pass(ask const& now, effect const& e, int d) {
    int best = -1, best_value = 0;
    for (register_word left_homes = homes[d] & ~(register_word{1} << now.from); left_homes != 0;
         left_homes &= left_homes - 1) {
      int const s = lowest(left_homes);
      int same = 0;
      for (int i = 0; i < now.size; ++i) same += all[now.demand[i]].home == s ? 1 : 0;
      int const left = after[d][s] - same, part = left % lack.sub == 0 ? lack.sub : left % lack.sub;
      if (left <= 0 || part > e.room) continue;
      int const begun = after[now.from][s] % lack.sub;
      bool const joins = begun != 0 && begun + part <= lack.sub;
      int const value = (part * 4 - (joins ? 20 : 0) + (draws() ? draw(6) : 0)) * 32 +
                        distance(s, (variant & 8) != 0 ? d : now.from);
      if (best < 0 || value < best_value) {
        best = s;
        best_value = value;
      }
    }
    return best;
  }

  AXE_FN constexpr void pay_an_ask() {
    if (__builtin_is_constant_evaluated())
      steps.taken += steps_of_an_ask;
    else
      steps.taken += ++asks % asks_of_a_step == 0 ? 1 : 0;
  }

  /// What lane d best asks in round k.
  AXE_FN constexpr ask best_ask(int d, int k) {
    ask best;
    bool const late = words[d] > k - 1;
    for (int p = 0; p < warp_lanes; ++p) {
      if (p == d || (!late && first[d][p] == 0 && filled[p] == 0 && !lack.copies)) continue;
      pay_an_ask();
      if (steps.taken > steps.allowed) return {};
      ask now;
      now.from = p;
      effect e;
      e.room = lack.sub - filled[p];
      for (int c = 0; c < filled[p]; ++c)
        if (int const n = find(d, word[p][c] - 1); n != 0) put(now, e, d, n - 1, true);
      for (int n = first[d][p]; n != 0 && e.room > 0; n = all[n - 1].next)
        if (!in(now, n - 1)) put(now, e, d, n - 1, false);
      for (register_word h = lack.copies ? homes[d] : 0; h != 0 && e.room > 0; h &= h - 1)
        for (int n = first[d][lowest(h)]; n != 0 && e.room > 0; n = all[n - 1].next)
          if (holds(p, all[n - 1].element) && !in(now, n - 1)) put(now, e, d, n - 1, false);
      if (now.size > 0) keep_better(best, now, e, d, k);
      while (e.room > 0 && words[d] + e.mine > k - 1) {
        int const s = home_to_pass(now, e, d);
        if (s < 0) break;
        int const before = now.size;
        int same = 0;
        for (int i = 0; i < now.size; ++i) same += all[now.demand[i]].home == s ? 1 : 0;
        int part = (after[d][s] - same) % lack.sub;
        if (part == 0) part = lack.sub;
        for (int n = first[d][s]; n != 0 && part > 0; n = all[n - 1].next) {
          if (in(now, n - 1)) continue;
          put(now, e, d, n - 1, false);
          --part;
        }
        if (now.size == before) break;  // those that are left came in this round
        keep_better(best, now, e, d, k);
      }
    }
    return best;
  }

  AXE_FN constexpr void unlink(int lane, int number) {
    short* link = &first[lane][all[number].home];
    while (*link != number + 1) link = &all[*link - 1].next;
    *link = all[number].next;
    if (first[lane][all[number].home] == 0) homes[lane] &= ~(register_word{1} << all[number].home);
  }
  AXE_FN constexpr void add_later(int lane, int number) {
    added_to[added.size()] = static_cast<signed char>(lane);
    added.push(static_cast<short>(number));
  }

  AXE_FN constexpr void take(ask const& a, int d) {
    int const p = a.from;
    for (int i = 0; i < a.size; ++i) {
      int const number = a.demand[i], e = all[number].element, home = all[number].home;
      unlink(d, number);
      count(d, home, -1);
      wanted[e] &= ~(register_word{1} << d);
      if (in_word(p, e)) continue;
      word[p][filled[p]++] = static_cast<short>(e + 1);
      if (holds(p, e)) continue;
      if (int const own = find(p, e); own != 0) {
        // What p demands too it must hold before this round, like what is asked of it.
        unlink(p, own - 1);
        add_later(p, own - 1);
      } else if ((wanted[e] >> p & 1) == 0) {
        wanted[e] |= register_word{1} << p;
        count(p, home, 1);
        add_later(p, number);
      }
    }
  }

  AXE_FN constexpr int next_lane() {
    int lane = -1, most = 0;
    for (int l = 0; l < warp_lanes; ++l) {
      if (asked[l] || total[l] == 0) continue;
      int const value = (words[l] * 4 + (total[l] + lack.sub - 1) / lack.sub) * 32 +
                        (draws()              ? draw(48)
                         : (variant & 4) != 0 ? l
                                              : 31 - l);
      if (lane < 0 || value > most) {
        lane = l;
        most = value;
      }
    }
    return lane;
  }

  /// Asks for round k; false where what is left cannot be had in k - 1 rounds, or no steps are
  /// left.
  AXE_FN constexpr bool plan_round(int k, route_round& out) {
    for (int l = 0; l < warp_lanes; ++l) {
      unsent[l] = 0;
      filled[l] = 0;
      asked[l] = false;
    }
    added.clear();
    for (short e : lack.once)
      if (wanted[e] != 0) ++unsent[lowest(lack.where.lanes[e])];
    // Demands that this round adds are asked in earlier rounds only: they are in no list yet, and a
    // lane of theirs alone asks nothing.
    for (int d = next_lane(); d >= 0; d = next_lane()) {
      asked[d] = true;
      ask const a = best_ask(d, k);
      if (steps.taken > steps.allowed) return false;
      if (a.from < 0) continue;
      take(a, d);
      out.reads[d] = static_cast<signed char>(a.from + 1);
    }
    for (int i = 0; i < added.size(); ++i) {
      demand& what = all[added[i]];
      what.next = first[added_to[i]][what.home];
      first[added_to[i]][what.home] = static_cast<short>(added[i] + 1);
      homes[added_to[i]] |= register_word{1} << what.home;
    }
    bool fits = true;
    for (int l = 0; l < warp_lanes; ++l) {
      fits = fits && total[l] <= lack.sub * (k - 1);
      for (int c = 0; c < filled[l]; ++c) out.sends[l][c] = word[l][c];
    }
    return fits;
  }
};

/// A route of `rounds` rounds, in the order in which they happen. False where none is found.
AXE_LAZY_FN constexpr bool find_route(lacking const& lack, int rounds, step_limit& steps,
                                      route_list& out) {
  if (!lack.fits || rounds > out.capacity) return false;
  for (int variant = 0; steps.taken < steps.allowed; ++variant) {
    if (__builtin_is_constant_evaluated()) steps.taken += 2 * warp_lanes + lack.from[warp_lanes];
    ++steps.taken;
    router search(lack, steps, variant);
    if (variant >= 16) search.drawn += static_cast<stl::uint32_t>(variant) * 2654435761u;
    route_list found;
    for (int k = 0; k < rounds; ++k) found.push({});
    int k = rounds;
    while (k > 0 && search.plan_round(k, found[k - 1])) --k;
    if (k > 0) continue;
    out = found;
    return true;
  }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
