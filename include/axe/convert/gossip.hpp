// Routes forwards: in every round each lane reads what it lacks most urgently, rare elements first,
// and idle lanes gather what many lack.
//
//     S[(10,5):(1@lane,1@reg)] to S[(10,5):(5@reg,1@reg)] + R[32:1@lane], 8 bits     13 rounds: 52 places for 50 elements
//
// The lane that lacks most for the rounds that are left chooses first: the lane whose word brings
// it most, counting what others have put into that word already; of equals the one with the rarest
// elements (lacked by many, known by few). What is rare spreads early, so that in the end every
// lane knows something for every other. Where many lanes lack the same, this meets bounds that
// negotiation, which lays one element after the other, does not. Lanes that are alike choose alike
// (convert/symmetry.hpp); what is left to chance grows from start to start.
// Source: B. Cohen, "Incentives Build Robustness in BitTorrent" (2003), "rarest first"; B. Baker,
// R. Shostak, "Gossips and telephones" (1972).
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/symmetry.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A set of elements.
struct element_set {
  static constexpr int parts = lane_symmetry::most_elements / 64;

  stl::uint64_t part[parts]{};

  AXE_FN constexpr bool has(int e) const { return (part[e / 64] >> (e % 64) & 1) != 0; }
  AXE_FN constexpr void put(int e) { part[e / 64] |= stl::uint64_t{1} << (e % 64); }
  AXE_FN constexpr void remove(int e) { part[e / 64] &= ~(stl::uint64_t{1} << (e % 64)); }
};

struct gossip {
  static constexpr int most_elements = lane_symmetry::most_elements;
  static constexpr int worth_of_gain = 100'000;  // of an element that the reader lacks
  static constexpr int worth_of_room = 3'000;    // of a place in a word
  static constexpr int worth_of_rarity = 250;    // times lanes that lack, over lanes that know
  static constexpr int most_noise = 8;

  lane_symmetry symmetry{};
  bool alone_in_orbit[warp_lanes]{};  // no symmetry but the identity leaves the lane
  int sub, rounds, parts = 0;
  bool fits = true;
  stl::uint32_t drawn = 2463534242u;
  int noise = 1;
  int asks = 0;

  element_set needed;
  element_set knows[warp_lanes];
  element_set lacks[warp_lanes];
  short lacked[warp_lanes]{};
  signed char knowing[most_elements]{}, lacking_it[most_elements]{};  // lanes
  short rarity[most_elements]{};

  route_round now{};
  signed char filled[warp_lanes]{};

  AXE_FN constexpr gossip(lacking const& lack, int number_of_rounds, symmetry_order symmetries,
                          int seed)
      : sub(lack.sub), rounds(number_of_rounds) {
    short order[most_elements]{};
    int elements = 0;
    for (int d = 0; d < warp_lanes && fits; ++d)
      for (int i = lack.from[d]; i < lack.from[d + 1] && fits; ++i) {
        int const e = lack.element[i];
        fits = e < most_elements;
        if (!fits) break;
        if (!needed.has(e)) order[elements++] = static_cast<short>(e);
        needed.put(e);
        symmetry.readers[e] |= register_word{1} << d;
        symmetry.holders[e] = lack.where.lanes[e];
        lacks[d].put(e);
        ++lacked[d];
        ++lacking_it[e];
        if (e / 64 >= parts) parts = e / 64 + 1;
      }
    for (int i = 0; i < elements && fits; ++i)
      for (register_word held = symmetry.holders[order[i]]; held != 0; held &= held - 1) {
        knows[lowest(held)].put(order[i]);
        ++knowing[order[i]];
      }
    if (fits) symmetry.divide(symmetries, seed, order, elements);
    for (int l = 0; l < warp_lanes; ++l) {
      alone_in_orbit[l] = true;
      for (int g = 1; g < symmetry.size; ++g)
        alone_in_orbit[l] = alone_in_orbit[l] && symmetry.move(g, l) != l;
    }
    drawn += static_cast<stl::uint32_t>(seed) * 2654435761u;
    noise = 1 + seed % most_noise;
  }

  AXE_FN constexpr int draw(int n) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 17;
    drawn ^= drawn << 5;
    return static_cast<int>(drawn % static_cast<stl::uint32_t>(n));
  }

  /// What is put into a word.
  struct choice {
    int from = -1, size = 0, gain = 0;
    integer worth = 0;
    short element[4]{};
    int value[4]{};

    AXE_FN constexpr void offer(int e, int worth_of_it, int room) {
      if (size == room && value[room - 1] >= worth_of_it) return;
      int at = size < room ? size++ : room - 1;
      for (; at > 0 && value[at - 1] < worth_of_it; --at) {
        value[at] = value[at - 1];
        element[at] = element[at - 1];
      }
      value[at] = worth_of_it;
      element[at] = static_cast<short>(e + 1);
    }
  };

  AXE_FN constexpr bool in_word(int lane, int e) const {
    for (int c = 0; c < filled[lane]; ++c)
      if (now.sends[lane][c] == e + 1) return true;
    return false;
  }

  /// The rarest elements of a set that lane p knows, as far as its word has room.
  AXE_FN constexpr void take_rarest(int p, element_set const& of, choice& out) {
    int const room = sub - filled[p];
    for (int k = 0; k < parts && room > 0; ++k)
      for (stl::uint64_t left = of.part[k] & knows[p].part[k]; left != 0; left &= left - 1) {
        auto const low = static_cast<register_word>(left);
        int const e =
            64 * k + (low != 0 ? lowest(low) : 32 + lowest(static_cast<register_word>(left >> 32)));
        if (!in_word(p, e)) out.offer(e, rarity[e] + draw(8 * noise), room);
      }
  }

  /// The lane that lane d best reads.
  AXE_FN constexpr choice best_choice(int d) {
    choice best;
    for (int p = 0; p < warp_lanes; ++p) {
      if (p == d || !alone_in_orbit[p]) continue;
      choice one;
      one.from = p;
      for (int c = 0; c < filled[p]; ++c) one.gain += lacks[d].has(now.sends[p][c] - 1) ? 1 : 0;
      if (one.gain + (sub - filled[p]) < best.gain) continue;
      take_rarest(p, lacks[d], one);
      one.gain += one.size;
      if (one.gain == 0) continue;
      one.worth = integer{worth_of_gain} * one.gain - worth_of_room * one.size + draw(100 * noise);
      for (int i = 0; i < one.size; ++i) one.worth += one.value[i];
      if (best.from < 0 || one.worth > best.worth) best = one;
    }
    return best;
  }

  /// Puts elements into a lane's word, and into those of its orbit.
  AXE_FN constexpr void put(choice const& what) {
    for (int g = 0; g < symmetry.size; ++g) {
      int const p = symmetry.move(g, what.from);
      for (int i = 0; i < what.size; ++i) {
        int const e = what.element[i] - 1;
        int const moved = g == 0 ? e : symmetry.image(symmetry.group[g], e);
        if (!in_word(p, moved)) now.sends[p][filled[p]++] = static_cast<short>(moved + 1);
      }
    }
  }
  AXE_FN constexpr void read(int d, int p) {
    for (int g = 0; g < symmetry.size; ++g)
      now.reads[symmetry.move(g, d)] = static_cast<signed char>(1 + symmetry.move(g, p));
  }

  /// Fills words up with what their readers do not know, so that they can pass it on.
  AXE_FN constexpr void fill(int p) {
    element_set unknown;
    bool is_read = false;
    for (int d = 0; d < warp_lanes; ++d) {
      if (now.reads[d] != p + 1) continue;
      is_read = true;
      for (int k = 0; k < parts; ++k) unknown.part[k] |= needed.part[k] & ~knows[d].part[k];
    }
    choice more;
    more.from = p;
    take_rarest(p, is_read ? unknown : needed, more);
    put(more);
  }

  /// A lane that reads nothing for itself gathers the rarest word.
  AXE_FN constexpr void gather(int d) {
    int best = -1, most = 0;
    for (int p = 0; p < warp_lanes; ++p) {
      int worth = draw(20 * noise);
      for (int c = 0; c < filled[p]; ++c)
        if (int const e = now.sends[p][c] - 1; !knows[d].has(e)) worth += 1 + rarity[e];
      if (p == d || !alone_in_orbit[p] || worth <= most) continue;
      most = worth;
      best = p;
    }
    if (best >= 0) read(d, best);
  }

  AXE_FN constexpr void learn() {
    for (int d = 0; d < warp_lanes; ++d)
      for (int c = 0; c < 4 && now.reads[d] != 0; ++c) {
        int const e = now.sends[now.reads[d] - 1][c] - 1;
        if (e < 0 || knows[d].has(e)) continue;
        knows[d].put(e);
        ++knowing[e];
        if (!lacks[d].has(e)) continue;
        lacks[d].remove(e);
        --lacked[d];
        --lacking_it[e];
      }
  }

  /// Reads and words of a round: the lane with least time to lose first.
  AXE_FN constexpr void choose(int left, step_limit& steps) {
    now = {};
    for (signed char& n : filled) n = 0;
    for (int e = 0; e < 64 * parts; ++e)
      if (needed.has(e))
        rarity[e] = static_cast<short>(worth_of_rarity * lacking_it[e] / knowing[e]);
    int urgency[warp_lanes]{};
    for (int d = 0; d < warp_lanes; ++d)
      urgency[d] = 64 * (sub * left - lacked[d]) + draw(64 * noise);
    bool asked[warp_lanes]{};
    for (;;) {
      int d = -1;
      for (int l = 0; l < warp_lanes; ++l)
        if (!asked[l] && lacked[l] > 0 && (d < 0 || urgency[l] < urgency[d])) d = l;
      if (d < 0) break;
      for (int g = 0; g < symmetry.size; ++g) asked[symmetry.move(g, d)] = true;
      steps.taken += ++asks % 2;
      choice const best = best_choice(d);
      if (best.from < 0) continue;
      put(best);
      read(d, best.from);
    }
    if (left == 1) return;
    for (int p = 0; p < warp_lanes; ++p)
      if (filled[p] < sub && alone_in_orbit[p]) fill(p);
    for (int d = 0; d < warp_lanes; ++d)
      if (now.reads[d] == 0 && alone_in_orbit[d]) gather(d);
  }

  AXE_FN constexpr bool play(step_limit& steps, route_list& out) {
    out.clear();
    for (int left = rounds; left > 0; --left) {
      for (short n : lacked)
        if (n > sub * left) return false;
      choose(left, steps);
      if (steps.taken > steps.allowed) return false;
      learn();
      out.push(now);
    }
    for (short n : lacked)
      if (n > 0) return false;
    return true;
  }
};

/// A route of `rounds` rounds in which rare elements spread first, from the drawn order
/// `first_start` on. False where none is found in the steps.
AXE_LAZY_FN constexpr bool gossip_route(lacking const& lack, int rounds, int first_start,
                                        step_limit& steps, route_list& out) {
  if (rounds > route_list::capacity || !lack.fits) return false;
  constexpr symmetry_order orders[] = {symmetry_order::none, symmetry_order::drawn,
                                       symmetry_order::small_first, symmetry_order::large_first};
  for (int turn = first_start; steps.taken < steps.allowed; ++turn)
    for (symmetry_order order : orders) {
      gossip game(lack, rounds, order, turn);
      if (!game.fits) return false;
      ++steps.taken;
      if (order != symmetry_order::none && game.symmetry.size == 1) continue;
      if (game.play(steps, out)) return true;
    }
  return false;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
