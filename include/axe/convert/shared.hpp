// SPDX-License-Identifier: MIT
// Finds the layout in shared memory for a conversion that moves elements between warps.
//
//     S[(4,32):(1@warp,1@lane)] to S[(32,4):(1@lane,1@warp)]      swizzle(M=0,B=2,S=5) o S[128:1]
//
// Candidates: the orders of source and target, each plain, swizzled and with padded rows. Returns
// the one with the fewest wavefronts, then the smallest; at the step limit, the best so far.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/analysis/conflicts.hpp>
#include <axe/convert/within_warp.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The wavefronts of an access: for each phase, the most 4-byte words that its lanes access in one
/// bank. A phase has 32 lanes for up to 4 bytes, 16 for 8 and 8 for 16.
struct shared_cost {
  int vector = 0;     // elements; 0: does not fit
  integer waves = 0;  // of all phases
  integer worst = 0;  // of one phase
};

AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          int vector, step_limit& steps) {
  shared_cost cost;
  int const bits = vector * width, together = bits <= 32 ? 32 : 1024 / bits,
            unit = bits <= 32 ? 32 / width : vector;  // elements of a bank, or of a vector's banks
  for (integer w = 0, n = count_of(a.warps); w < n; ++w) {
    integer other = 0;
    integer const of_warp = element_of_digits(a.warps, w, other);
    for (int slot = 0; slot < a.slot_count; slot += vector)
      for (int from = 0; from < warp_lanes; from += together) {
        bank_queues wanted(1024 / width / unit);
        for (int l = from; l < from + together; ++l) {
          if (a.of_lane[l] == 0) continue;
          integer first = -1;
          for (int i = 0; i < vector; ++i) {
            if (!steps.take()) return {};
            if (slot + i >= a.slot_count || a.of_slot[slot + i] == 0) {
              if (vector > 1) return {};
              continue;
            }
            integer const x = of_warp + a.of_lane[l] + a.of_slot[slot + i] - 2,
                          at = place_of(place, x);
            if (i == 0) first = at;
            if (at != first + i || first % vector != 0) return {};
          }
          if (first >= 0) wanted.add(first / unit);
        }
        integer const waves = wanted.count[wanted.longest()];
        cost.waves += waves;
        cost.worst = larger(cost.worst, waves);
      }
  }
  cost.vector = vector;
  return cost;
}

/// Counts the widest vectors that fit.
AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          step_limit& steps) {
  for (int vector = 128 / width; vector > 0; vector /= 2)
    if (shared_cost const cost = cost_of(a, place, width, vector, steps); cost.vector > 0)
      return cost;
  return {};
}

/// Indices of iters in memory order: registers, lanes, other axes; on each by ascending stride.
AXE_LAZY_FN constexpr list<int, capacity::shards> memory_order(layout const& l) {
  auto const is_lower = [](iter const& a, iter const& b) {
    auto const turn = [](axis on) { return on == axis::reg ? 0 : on == axis::lane ? 1 : 2; };
    return turn(a.on) != turn(b.on) ? turn(a.on) < turn(b.on)
                                    : magnitude(a.stride) < magnitude(b.stride);
  };
  list<int, capacity::shards> order;
  for (int k = 0; k < l.shards.size(); ++k) {
    int at = order.size();
    while (at > 0 && is_lower(l.shards[k], l.shards[order[at - 1]])) --at;
    order.insert(at, k);
  }
  return order;
}

/// The layout that stores the elements in the order of l. After `pad_at` digits a row is padded by
/// `pad` elements.
AXE_LAZY_FN constexpr layout in_order_of(layout const& l, int pad_at = 0, integer pad = 0) {
  layout place;
  place.shards = l.shards;
  integer step = 1;
  list<int, capacity::shards> const order = memory_order(l);
  for (int i = 0; i < order.size(); ++i) {
    if (i == pad_at) step += pad;
    iter& digit = place.shards[order[i]];
    digit = {digit.extent, step, axis::m};
    step *= digit.extent;
  }
  return place;
}

struct shared_search {
  register_access store, load;
  int width;
  step_limit& steps;
  shared_step best{};
  integer best_waves = 0;

  AXE_FN constexpr bool perfect() const {
    return best_waves != 0 && best.store_conflict == 1 && best.load_conflict == 1 &&
           widest(store, best.store_bits) && widest(load, best.load_bits);
  }
  AXE_FN constexpr bool widest(register_access const& a, int bits) const {
    return bits == 128 || bits / width >= a.slot_count;
  }
  /// Returns the elements in a vector of the store and of the load, or 0.
  AXE_LAZY_FN constexpr list<int, 2> consider(layout const& place) {
    if (perfect()) return {0, 0};
    shared_cost const in = cost_of(store, place, width, steps),
                      out = cost_of(load, place, width, steps);
    if (in.vector == 0 || out.vector == 0) return {0, 0};
    interval reach;
    plain_reach(place, axis::m, reach);
    if (!place.swizzle.none()) reach.largest |= place.swizzle.period() - 1;
    integer const bytes = (reach.largest + 1) * width / 8, waves = in.waves + out.waves;
    if (best_waves == 0 || waves < best_waves || (waves == best_waves && bytes < best.bytes)) {
      best_waves = waves;
      best = {place, in.vector * width, out.vector * width, in.worst, out.worst, bytes};
    }
    return {in.vector, out.vector};
  }
};

/// The pattern of an access, over warps, groups of `vector` slots, and lanes, with the elements in
/// the order of `place`. False if that is not a layout.
AXE_LAZY_FN constexpr bool register_pattern(register_access const& a, layout const& place,
                                            int width, int vector, step_limit& steps,
                                            access_pattern& out) {
  integer const warps = count_of(a.warps), lanes = count_of(a.lanes), slots = count_of(a.slots);
  layout elements;
  element_digits const* const parts[] = {&a.warps, &a.lanes, &a.slots};
  for (element_digits const* part : parts)
    for (auto const& [digit, step] : *part)
      if (!elements.shards.push({digit.extent, step, step == 0 ? axis::null : axis::m}))
        return false;
  valid_layout placed;
  if (placed.admit(place)) return false;
  outcome<layout> const in_order = compose_of(placed, valid_layout::proved(elements), steps);
  if (!in_order || lanes > warp_lanes || slots % vector != 0) return false;
  outcome<layout> const pattern = permute_of(in_order, shape{warps, lanes, slots / vector, vector},
                                             coordinate{0, 2, 1, 3}, steps);
  if (!pattern) return false;
  out.elements = *pattern;
  out.bits = width;
  out.values = vector;
  out.lanes = static_cast<int>(lanes);
  return true;
}

AXE_LAZY_FN constexpr void synthesise(layout const& order, int store, int load, bool pitches,
                                      shared_search& search) {
  layout const plain = in_order_of(order);
  integer const size = product_of_extents(order.shards);
  access_list all;
  access_pattern a;
  if (!register_pattern(search.store, plain, search.width, store, search.steps, a)) return;
  all.push(a);
  if (!register_pattern(search.load, plain, search.width, load, search.steps, a)) return;
  all.push(a);
  // A search may use a quarter of the remaining steps, and is charged the vectors that it tried.
  auto const share = [&] { return step_limit((search.steps.allowed - search.steps.taken) / 4); };
  auto const charge = [&](step_limit const& part, integer tried) {
    search.steps.taken += tried > 0 && tried < part.allowed ? tried : part.allowed;
  };
  if (!pitches && is_power_of_two(size)) {
    layout line;
    line.shards.push({size, 1, axis::m});
    step_limit const part = share();
    outcome<found_swizzle> const found = try_conflict_free_swizzle(line, shape{size}, all, part);
    charge(part, found ? 8 * found->tried : 0);
    if (found && !found->swizzle.none()) {
      layout place = plain;
      place.swizzle = found->swizzle;
      search.consider(place);
    }
  }
  list<int, capacity::shards> const digits = memory_order(order);
  for (int pad_at = 1; pitches && pad_at < digits.size() && !search.perfect(); ++pad_at) {
    integer const columns = plain.shards[digits[pad_at]].stride;
    step_limit const part = share();
    outcome<found_pitch> const found =
        try_conflict_free_pitch(shape{size / columns, columns}, all, 0, part);
    charge(part, found ? found->tried * (size / store + size / load) : 0);
    if (found && found->pitch > columns)
      search.consider(in_order_of(order, pad_at, found->pitch - columns));
  }
}

AXE_LAZY_FN constexpr outcome<conversion_plan> plan_through_shared(layout const& from,
                                                                   layout const& to,
                                                                   conversion_plan plan,
                                                                   step_limit& steps) {
  int const width = plan.width;
  shared_search search{register_access(from, true), register_access(to, false), width, steps};
  layout const* orders[2] = {&from, &to};
  list<int, 2> plain[2];
  for (int i = 0; i < 2; ++i) plain[i] = search.consider(in_order_of(*orders[i]));
  // Swizzles come first, because they need no memory and few steps. If the widest vectors have
  // conflicts, narrower ones are tried, down to a word.
  for (bool const pitches : {false, true})
    for (int most = 128 / width; most > 0; most = most * width > 32 ? most / 2 : 0)
      for (int i = 0; i < 2 && !search.perfect(); ++i) {
        int const store = plain[i][0], load = plain[i][1];
        if (store == 0 || (most < 128 / width && most >= store && most >= load)) continue;
        synthesise(*orders[i], most < store ? most : store, most < load ? most : load, pitches,
                   search);
      }
  if (search.best_waves == 0) return search.steps.refusal();
  plan.kind = conversion_kind::warps;
  plan.shared = search.best;
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
