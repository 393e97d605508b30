// SPDX-License-Identifier: MIT
// Finds the shared-memory layout of a conversion between warps.
//
//     S[(4,32):(1@warp,1@lane)] to S[(32,4):(1@lane,1@warp)]      swizzle(M=0,B=2,S=5) o S[128:1]
//
// The best candidate has the fewest wavefronts, then the fewest bytes.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/analysis/conflicts.hpp>
#include <axe/convert/engine/within_warp.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct shared_cost {
  int vector = 0;     // elements; 0: the step limit was reached
  integer waves = 0;  // of all phases
  integer worst_phase = 0;
};

struct shared_counter {
  register_access const& access;
  layout const& place;
  int width;
  int vector;
  step_limit& steps;
  shared_cost cost{};

  /// False if the elements are not one aligned vector. Sets `first` to its place unless
  /// the slot is empty.
  AXE_LAZY_FN constexpr bool vector_at(integer of_warp, int lane, int slot, integer& first) {
    for (int i = 0; i < vector; ++i) {
      if (!steps.take()) return false;
      if (slot + i >= access.slot_count || access.of_slot[slot + i] == 0) return vector == 1;
      integer const at =
          address_at(place, of_warp + access.of_lane[lane] + access.of_slot[slot + i] - 2);
      if (i == 0) first = at;
      if (at != first + i || first % vector != 0) return false;
    }
    return true;
  }
  AXE_LAZY_FN constexpr bool add_phase(integer of_warp, int slot, int begin, int end) {
    int const unit = elements_per_unit(vector, width);
    bank_queues wanted(1024 / width / unit);
    for (int lane = begin; lane < end; ++lane) {
      if (access.of_lane[lane] == 0) continue;
      integer first = -1;
      if (!vector_at(of_warp, lane, slot, first)) return false;
      if (first >= 0) wanted.add(first / unit);
    }
    integer const waves = wanted.count[wanted.longest()];
    cost.waves += waves;
    cost.worst_phase = larger(cost.worst_phase, waves);
    return true;
  }
  AXE_LAZY_FN constexpr bool add_all() {
    int const together = phase_lanes(vector * width);
    for (integer w = 0, n = count_of(access.warps); w < n; ++w) {
      integer other = 0;
      integer const of_warp = element_of_digits(access.warps, w, other);
      for (int slot = 0; slot < access.slot_count; slot += vector)
        for (int lane = 0; lane < warp_lanes; lane += together)
          if (!add_phase(of_warp, slot, lane, lane + together)) return false;
    }
    cost.vector = vector;
    return true;
  }
};

AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          step_limit& steps) {
  for (int vector = 128 / width; vector > 0; vector /= 2)
    if (shared_counter counter{a, place, width, vector, steps}; counter.add_all())
      return counter.cost;
  return {};
}

/// Digits of registers, of lanes, of other axes, each by ascending stride. Leaves out digits
/// without an axis.
AXE_LAZY_FN constexpr list<int, capacity::shards> memory_order(layout const& l) {
  list<int, capacity::shards> order;
  for (int k = 0; k < l.shards.size(); ++k)
    if (!l.shards[k].is_on(axis::null)) order.push(k);
  // Strides of registers and lanes are below 1024.
  sort_by(order, [&](int k) {
    iter const& i = l.shards[k];
    return magnitude(i.stride) - (i.on == axis::reg ? 2048 : i.on == axis::lane ? 1024 : 0);
  });
  return order;
}

/// The `pad_at` fastest digits are a row, padded by `pad` elements.
AXE_LAZY_FN constexpr layout in_order_of(layout const& l, int pad_at = 0, integer pad = 0) {
  layout place;
  for (iter const& i : l.shards) place.shards.push({i.extent, 0, axis::m});
  integer step = 1;
  list<int, capacity::shards> const order = memory_order(l);
  for (int i = 0; i < order.size(); ++i) {
    if (i == pad_at) step += pad;
    iter& digit = place.shards[order[i]];
    digit.stride = step;
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
           is_widest(store, best.store_bits) && is_widest(load, best.load_bits);
  }
  AXE_FN constexpr bool is_widest(register_access const& a, int bits) const {
    return bits == 128 || bits / width >= a.slot_count;
  }
  /// Returns the vector lengths of store and load, or 0.
  AXE_LAZY_FN constexpr list<int, 2> consider(layout const& place) {
    if (perfect()) return {0, 0};
    shared_cost const stored = cost_of(store, place, width, steps),
                      loaded = cost_of(load, place, width, steps);
    if (stored.vector == 0 || loaded.vector == 0) return {0, 0};
    interval reach = reach_before_swizzle(place, axis::m);
    if (!place.swizzle.none()) reach.largest |= place.swizzle.period() - 1;
    integer const bytes = (reach.largest + 1) * width / 8, waves = stored.waves + loaded.waves;
    if (best_waves == 0 || waves < best_waves || (waves == best_waves && bytes < best.bytes)) {
      best_waves = waves;
      best = {place,
              stored.vector * width,
              loaded.vector * width,
              stored.worst_phase,
              loaded.worst_phase,
              bytes};
    }
    return {stored.vector, loaded.vector};
  }
};

AXE_LAZY_FN constexpr outcome<layout> places_of_slots(register_access const& a, layout const& place,
                                                      step_limit& steps) {
  layout elements;
  element_digits const* const parts[] = {&a.warps, &a.lanes, &a.slots};
  for (element_digits const* part : parts)
    for (auto const& [digit, step] : *part)
      if (!elements.shards.push({digit.extent, step, axis::m}))
        return refusal{rule::too_many_shards, {elements.shards.count + 1}};
  valid_layout placed;
  if (refusal const bad = placed.admit(place)) return bad;
  return compose_of(placed, valid_layout::proved(elements), steps);
}

/// Candidates whose elements lie in the order of one layout's registers, lanes and warps.
struct shared_synthesis {
  layout const& order;
  shared_search& search;
  layout plain = in_order_of(order);
  list<int, 2> widest = search.consider(plain);  // of store and load
  integer size = reach_before_swizzle(plain, axis::m).largest + 1;
  outcome<layout> stored_at, loaded_at;  // set by the first call of set_accesses
  int store = 0, load = 0;               // elements of a vector
  access_list accesses{};

  /// nvcc rejects these initializers in an aggregate: "attempt to access expired storage".
  AXE_LAZY_FN constexpr shared_synthesis(layout const& l, shared_search& s) : order(l), search(s) {}
  /// Sets `accesses` to a store and a load with vectors of at most `most` elements. False if there
  /// are none, or if a larger `most` gave the same.
  AXE_LAZY_FN constexpr bool set_accesses(int most) {
    int const widest_store = widest[0], widest_load = widest[1];
    bool const is_narrower = most < widest_store || most < widest_load;
    bool const is_first = most == 128 / search.width;
    if (search.perfect() || widest_store == 0 || !(is_first || is_narrower)) return false;
    if (store == 0) {
      stored_at = places_of_slots(search.store, plain, search.steps);
      loaded_at = places_of_slots(search.load, plain, search.steps);
    }
    store = most < widest_store ? most : widest_store;
    load = most < widest_load ? most : widest_load;
    accesses = {};
    return add_access(search.store, stored_at, store) && add_access(search.load, loaded_at, load);
  }
  AXE_LAZY_FN constexpr bool add_access(register_access const& a, outcome<layout> const& places,
                                        int vector) {
    integer const warps = count_of(a.warps), lanes = count_of(a.lanes), slots = count_of(a.slots);
    if (!places || lanes > warp_lanes || slots % vector != 0) return false;
    outcome<layout> const pattern = permute_of(places, shape{warps, lanes, slots / vector, vector},
                                               coordinate{0, 2, 1, 3}, search.steps);
    return pattern && accesses.push({*pattern, search.width, vector, static_cast<int>(lanes)});
  }

  /// The limit of one search.
  AXE_FN constexpr step_limit share() const {
    return step_limit((search.steps.allowed - search.steps.taken) / 4);
  }
  /// Searches do not return their steps. `tried` estimates them; 0 stands for all.
  AXE_FN constexpr void charge(step_limit const& part, integer tried) {
    search.steps.taken += tried > 0 && tried < part.allowed ? tried : part.allowed;
  }

  AXE_LAZY_FN constexpr void try_swizzles() {
    layout line;
    line.shards.push({size, 1, axis::m});
    step_limit const part = share();
    outcome<found_swizzle> const found =
        try_conflict_free_swizzle(line, shape{size}, accesses, part);
    charge(part, found ? 8 * found->tried : 0);
    if (!found || found->swizzle.none()) return;
    layout place = plain;
    place.swizzle = found->swizzle;
    search.consider(place);
  }

  AXE_LAZY_FN constexpr void try_pitches() {
    list<int, capacity::shards> const digits = memory_order(order);
    for (int pad_at = 1; pad_at < digits.size() && !search.perfect(); ++pad_at) {
      integer const columns = plain.shards[digits[pad_at]].stride;
      step_limit const part = share();
      outcome<found_pitch> const found =
          try_conflict_free_pitch(shape{size / columns, columns}, accesses, part);
      charge(part, found ? found->tried * (size / store + size / load) : 0);
      if (found && found->pitch > columns)
        search.consider(in_order_of(order, pad_at, found->pitch - columns));
    }
  }
};

/// Elements that share a register of `from` are equal, and have one place. Only the digits of
/// `from` show which they are, so then no candidate has the order of `to`.
AXE_LAZY_FN constexpr outcome<conversion_plan> plan_through_shared(layout const& from,
                                                                   layout const& to,
                                                                   bool has_equal_elements,
                                                                   conversion_plan plan,
                                                                   step_limit& steps) {
  int const width = plan.width;
  shared_search search{register_access(from, true), register_access(to, false), width, steps};
  shared_synthesis in_orders[] = {{from, search}, {has_equal_elements ? from : to, search}};
  // Swizzles come before pitches, because they need no padding.
  for (bool const pitches : {false, true})
    for (int most = 128 / width; most > 0; most = most * width > 32 ? most / 2 : 0)
      for (shared_synthesis& synthesis : in_orders)
        if ((pitches || is_power_of_two(synthesis.size)) && synthesis.set_accesses(most))
          pitches ? synthesis.try_pitches() : synthesis.try_swizzles();
  if (search.best_waves == 0) return search.steps.refusal();
  plan.kind = conversion_kind::warps;
  plan.shared = search.best;
  plan.shared.place = *try_canonicalize(search.best.place);
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
