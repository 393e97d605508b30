// Elements that change warps go through shared memory: finds the layout there.
//
//     S[(4,32):(1@warp,1@lane)] to S[(32,4):(1@lane,1@warp)]      swizzle(M=0,B=2,S=5) o S[128:1]
//
// Candidates are the orders of the source and of the target, each plain, with a swizzle, and with
// padded rows (axe/synthesis.hpp). The one with the fewest wavefronts of both wins, then
// the smallest. Each is counted exactly, one step for an address. If steps run out, the best so far
// is the answer. Definition: docs/algebra.md, D21.
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/convert/bits.hpp>
#include <axe/convert/shared_access.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The digits of a canonical register layout in memory order: registers fastest, then lanes, then
/// the rest; of each axis the smallest step first. A row of `pad_at` digits is `pad` elements
/// longer.
AXE_LAZY_FN constexpr layout in_order_of(layout const& l, int pad_at, integer pad) {
  layout place;
  list<int, capacity::shards> order;
  for (int turn = 0; turn < 3; ++turn)
    for (;;) {
      int best = -1;
      for (int k = 0; k < l.shards.size(); ++k) {
        axis const on = l.shards[k].on;
        bool const now = turn == 0   ? on == axis::reg
                         : turn == 1 ? on == axis::lane
                                     : !is_inside_warp(on);
        bool listed = false;
        for (int done : order) listed = listed || done == k;
        if (now && !listed &&
            (best < 0 || magnitude(l.shards[k].stride) < magnitude(l.shards[best].stride)))
          best = k;
      }
      if (best < 0) break;
      order.push(best);
    }
  place.shards = l.shards;
  integer step = 1;
  for (int i = 0; i < order.size(); ++i) {
    if (i == pad_at) step += pad;
    place.shards[order[i]] = {l.shards[order[i]].extent, step, axis::m};
    step *= l.shards[order[i]].extent;
  }
  for (iter& i : place.shards)
    if (!i.is_on(axis::m)) i = {i.extent, 0, axis::null};
  return place;
}

struct shared_vectors {
  int store = 0, load = 0;  // elements; 0: none fits, or no more need be tried
};

/// The search for a place in shared memory.
struct shared_search {
  register_access store, load;
  int width;
  step_limit& steps;
  shared_step best{};
  integer best_waves = 0;

  /// True if nothing can be better: no conflict, and the widest vectors.
  AXE_FN constexpr bool perfect() const {
    return best_waves != 0 && best.store_conflict == 1 && best.load_conflict == 1 &&
           widest(store, best.store_bits) && widest(load, best.load_bits);
  }
  AXE_FN constexpr bool widest(register_access const& a, int bits) const {
    return bits == 128 || bits / width >= a.slots;
  }
  /// Returns the widest vectors of its store and its load.
  AXE_LAZY_FN constexpr shared_vectors consider(layout const& place) {
    if (perfect()) return {};
    shared_cost const in = cost_of(store, place, width, steps);
    if (in.vector == 0) return {};
    shared_cost const out = cost_of(load, place, width, steps);
    if (out.vector == 0) return {};
    shared_vectors const vectors{in.vector, out.vector};
    integer largest_address = 0;
    for (iter const& i : place.shards) largest_address += (i.extent - 1) * i.stride;
    if (!place.swizzle.none()) largest_address |= place.swizzle.period() - 1;
    integer const bytes = (largest_address + 1) * width / 8, waves = in.waves + out.waves;
    if (best_waves != 0 && (best_waves < waves || (best_waves == waves && best.bytes <= bytes)))
      return vectors;
    best_waves = waves;
    best = {place, in.vector * width, out.vector * width, in.worst, out.worst, bytes};
    return vectors;
  }
};

/// A digit of an access, and what it contributes to the element.
struct access_digit {
  integer extent = 1, place = 0, step = 0;  // place: its step on lane or reg
};
using access_digits = list<access_digit, capacity::shards + capacity::replicas>;

/// The digits on an axis, the largest step first. Replicas are loaded by every lane that wants
/// them, stored by one.
AXE_LAZY_FN constexpr access_digits digits_on(layout const& l, axis a, bool store) {
  access_digits sorted;
  auto const add = [&](access_digit const& d) {
    int at = 0;
    while (at < sorted.size() && magnitude(sorted[at].place) >= magnitude(d.place)) ++at;
    sorted.insert(at, d);
  };
  integer below = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    below /= i.extent;
    if (a == axis::null ? !is_inside_warp(i.on) : i.is_on(a)) add({i.extent, i.stride, below});
  }
  for (iter const& r : l.replicas)
    if (r.is_on(a) && !store) add({r.extent, r.stride, 0});
  return sorted;
}

/// Stores or loads of a register layout as an access of the elements in the order of `place`: warps
/// and slots, then lanes, then the `vector` slots of one instruction. False where slots, or the
/// order, are not digits of such an access.
AXE_LAZY_FN constexpr bool register_pattern(layout const& l, bool store, layout const& place,
                                            int width, int vector, step_limit& steps,
                                            access_pattern& out) {
  access_digits const lanes = digits_on(l, axis::lane, store);
  access_digits slots = digits_on(l, axis::reg, store), values;
  for (integer side_by_side = 1; side_by_side < vector;) {
    if (slots.empty() || slots.back().place != side_by_side) return false;
    access_digit& last = slots.back();
    integer const left = vector / side_by_side, taken = last.extent < left ? last.extent : left;
    if (last.extent % taken != 0 || left % taken != 0) return false;
    values.insert(0, {taken, last.place, last.step});
    side_by_side *= taken;
    last = {last.extent / taken, last.place * taken, last.step * taken};
    if (last.extent == 1) slots.pop();
  }
  access_digits const warps = digits_on(l, axis::null, store);
  layout elements;
  out.lanes = 1;
  access_digits const* const parts[] = {&warps, &slots, &lanes, &values};
  for (access_digits const* part : parts)
    for (access_digit const& d : *part) {
      if (!elements.shards.push({d.extent, d.step, d.step == 0 ? axis::null : axis::m}))
        return false;
      if (part == &lanes) out.lanes *= static_cast<int>(d.extent);
    }
  outcome<layout> const in_order = try_compose(place, elements, steps);
  if (!in_order || !in_order->replicas.empty() || out.lanes > warp_lanes) return false;
  out.elements = *in_order;
  out.bits = width;
  out.values = vector;
  return true;
}

/// The number of elements in a row that ends below the digit that padding moves; 1 if padding moves
/// nothing.
AXE_LAZY_FN constexpr integer row_below(layout const& plain, layout const& padded) {
  integer columns = 0;
  for (int k = 0; k < padded.shards.size(); ++k)
    if (integer const step = plain.shards[k].stride;
        padded.shards[k].stride > step && (columns == 0 || step < columns))
      columns = step;
  return columns == 0 ? 1 : columns;
}

/// Tries swizzles or pitches for one order of the elements and these vectors.
AXE_LAZY_FN constexpr void synthesise(layout const& from, layout const& to, layout const& order,
                                      shared_vectors widest, bool pitches, shared_search& search) {
  layout const plain = in_order_of(order, -1, 0);
  integer const size = product_of_extents(order.shards);
  access_list all;
  for (bool const store : {true, false}) {
    access_pattern a;
    if (!register_pattern(store ? from : to, store, plain, search.width,
                          store ? widest.store : widest.load, search.steps, a))
      return;
    all.push(a);
  }
  // A search has a quarter of the steps that are left; one that ends before takes about as many as
  // the vectors that it looks at.
  auto const share = [&] { return step_limit((search.steps.allowed - search.steps.taken) / 4); };
  auto const charge = [&](step_limit const& part, integer tried) {
    search.steps.taken += tried > 0 && tried < part.allowed ? tried : part.allowed;
  };
  if (!pitches && exact_log2(size) >= 0) {
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
  for (int pad_at = 1; pitches && pad_at < order.shards.size() && !search.perfect(); ++pad_at) {
    integer const columns = row_below(plain, in_order_of(order, pad_at, 1));
    if (columns < 2 || size % columns != 0) continue;
    step_limit const part = share();
    outcome<found_pitch> const found =
        try_conflict_free_pitch(shape{size / columns, columns}, all, 0, part);
    charge(part, found ? found->tried * (size / all[0].values + size / all[1].values) : 0);
    if (found && found->pitch > columns)
      search.consider(in_order_of(order, pad_at, found->pitch - columns));
  }
}

AXE_LAZY_FN constexpr outcome<conversion_plan> plan_through_shared(layout const& from,
                                                                   layout const& to,
                                                                   conversion_plan plan,
                                                                   step_limit& steps) {
  int const width = plan.width;
  shared_search search{register_access(from, width, true), register_access(to, width, false), width,
                       steps};
  layout const* orders[2] = {&from, &to};
  shared_vectors plain[2];
  for (int i = 0; i < 2; ++i) plain[i] = search.consider(in_order_of(*orders[i], -1, 0));
  // Swizzles first, which cost no memory and, by ranks, few steps. Narrower vectors where the
  // widest cannot be had without conflicts, down to a word.
  for (bool const pitches : {false, true})
    for (int most = 128 / width; most > 0; most = most * width > 32 ? most / 2 : 0)
      for (int i = 0; i < 2 && !search.perfect(); ++i) {
        bool const narrower = most < plain[i].store || most < plain[i].load;
        if (plain[i].store == 0 || (most < 128 / width && !narrower)) continue;
        synthesise(from, to, *orders[i],
                   {most < plain[i].store ? most : plain[i].store,
                    most < plain[i].load ? most : plain[i].load},
                   pitches, search);
      }
  if (search.best_waves == 0) return search.steps.refusal();
  outcome<layout> const place = try_canonicalize(search.best.place);
  if (!place) return place.why;
  plan.kind = conversion_kind::warps;
  plan.shared = search.best;
  plan.shared.place = *place;
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
