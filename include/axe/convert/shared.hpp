// Elements that change warps go through shared memory: a layout for the tile there, found for the two register layouts that store and load it.
//
//     plan_convert(S[(4,32):(1@warp,1@lane)], S[(32,4):(1@lane,1@warp)], 32)      through S[128:1]: 32-bit stores and loads, no conflict
//
// Tried: the elements in the order of the source's slots, lanes and warps, and in that of the target's, each plain, with rows of every length padded by one
// vector, and (sizes that are powers of two) under swizzles that reach all banks. The one with the fewest wavefronts of stores and loads together wins, then
// the smallest. Each is counted exactly (convert/shared_access.hpp), a step an address; where steps run out, the best so far. A longer search in named
// families, and proofs that there is none, are axe/synthesis.hpp.
// Definition: docs/algebra.md, D21.
#pragma once

#include <axe/convert/bits.hpp>
#include <axe/convert/shared_access.hpp>

namespace axe::inline AXE_NAMESPACE::detail {

/// The digits of a canonical register layout in memory order: registers fastest, then lanes, then the rest; of each axis the smallest step first. A row of
/// `pad_at` digits is `pad` elements longer.
AXE_FN constexpr layout in_order_of(layout const& l, int pad_at, integer pad) {
  layout place;
  list<int, capacity::shards> order;
  for (int turn = 0; turn < 3; ++turn)
    for (;;) {
      int best = -1;
      for (int k = 0; k < l.shards.size(); ++k) {
        axis const on = l.shards[k].on;
        bool const now = turn == 0 ? on == axis::reg : turn == 1 ? on == axis::lane : !is_inside_warp(on);
        bool listed = false;
        for (int done : order) listed = listed || done == k;
        if (now && !listed && (best < 0 || magnitude(l.shards[k].stride) < magnitude(l.shards[best].stride)))
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
    if (i.on != axis::m) i = {i.extent, 0, axis::null};
  return place;
}

/// The search for a place in shared memory.
struct shared_search {
  register_access store, load;
  int width;
  step_budget& steps;
  shared_step best{};
  integer best_waves = 0;

  /// No conflict, and nothing wider to be had?
  AXE_FN constexpr bool perfect() const {
    return best_waves != 0 && best.store_conflict == 1 && best.load_conflict == 1 &&
           widest(store, best.store_bits) && widest(load, best.load_bits);
  }
  AXE_FN constexpr bool widest(register_access const& a, int bits) const {
    return bits == 128 || bits / width >= a.slots;
  }
  AXE_FN constexpr void consider(layout const& place) {
    if (perfect()) return;
    shared_cost const in = cost_of(store, place, width, steps);
    if (in.vector == 0) return;
    shared_cost const out = cost_of(load, place, width, steps);
    if (out.vector == 0) return;
    integer largest_address = 0;
    for (iter const& i : place.shards) largest_address += (i.extent - 1) * i.stride;
    if (!place.swizzle.none()) largest_address |= place.swizzle.period() - 1;
    integer const bytes = (largest_address + 1) * width / 8, waves = in.waves + out.waves;
    if (best_waves != 0 && (best_waves < waves || (best_waves == waves && best.bytes <= bytes))) return;
    best_waves = waves;
    best = {place, in.vector * width, out.vector * width, in.worst, out.worst, bytes};
  }
};

AXE_FN constexpr outcome<conversion_plan> plan_through_shared(layout const& from, layout const& to,
                                                              conversion_plan plan, step_budget& steps) {
  int const width = plan.width;
  shared_search search{register_access(from, width, true), register_access(to, width, false), width, steps};
  bool const powers = log2_or_none(product_of_extents(from.shards)) >= 0;
  for (layout const* order : {&from, &to}) {
    search.consider(in_order_of(*order, -1, 0));
    for (int vector = 128 / width; vector > 0; vector /= 2) {
      int const reach = log2_or_none(1024 / width / vector);  // bits of the vectors that fill the banks
      for (int pad_at = 1; pad_at < order->shards.size(); ++pad_at)
        search.consider(in_order_of(*order, pad_at, vector));
      for (int s = 1; s < 7 && powers; ++s) {
        layout place = in_order_of(*order, -1, 0);
        place.swizzle = {log2_or_none(vector), reach < s ? reach : s, s};
        if (log2_or_none(product_of_extents(from.shards)) >= place.swizzle.M + place.swizzle.B + s)
          search.consider(place);
      }
    }
  }
  if (search.best_waves == 0) return search.steps.refusal();
  outcome<layout> const place = try_canonicalize(search.best.place);
  if (!place) return place.why;
  plan.kind = conversion_kind::warps;
  plan.shared = search.best;
  plan.shared.place = *place;
  return plan;
}

}  // namespace axe::inline AXE_NAMESPACE::detail
