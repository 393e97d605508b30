// The cost of a register layout's stores or loads in shared memory: the widest vectors and their
// wavefronts, counted exactly.
//
//     an instruction     one warp; V slots of each lane, side by side in memory at a multiple of V
//     a phase            32 lanes up to 4 bytes each, 16 lanes for 8 bytes, 8 lanes for 16 bytes
//     wavefronts         the most 4-byte words that the lanes of a phase want of one of 32 banks
//
// Of several replicas one is stored.
#pragma once

#include <axe/convert/within_warp.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The contribution of each lane and slot to the element index, -1 if empty; and the digits of
/// warps.
struct register_access {
  integer lane[warp_lanes];
  integer slot[most_register_words * 4];
  int slots = 0;
  iter_list warps;  // extent, and elements of a step
  integer warp_count = 1;

  /// `store`: one of several copies.
  AXE_FN constexpr register_access(layout const& l, int width, bool store) : lane{}, slot{} {
    for (integer& n : lane) n = -1;
    for (integer& n : slot) n = -1;
    slots = most_register_words * 32 / width;
    fill(l, axis::lane, store, lane);
    fill(l, axis::reg, store, slot);
    while (slots > 0 && slot[slots - 1] < 0) --slots;
    integer below = product_of_extents(l.shards);
    for (iter const& i : l.shards) {
      below /= i.extent;
      if (!is_inside_warp(i.on)) warps.push({i.extent, below, axis::m});
    }
    warp_count = product_of_extents(warps);
  }

  AXE_FN static constexpr void fill(layout const& l, axis a, bool store, integer* to) {
    iter_list digits;
    integer below = product_of_extents(l.shards), copies = 1;
    list<integer, capacity::shards> steps;
    for (iter const& i : l.shards) {
      below /= i.extent;
      if (i.is_on(a) && digits.push(i)) steps.push(below);
    }
    for (iter const& r : l.replicas)
      if (r.is_on(a) && !store) copies *= r.extent;
    integer const all = product_of_extents(digits);
    for (integer j = 0; j < all * copies; ++j) {
      integer rest = j, at = l.offset(a), element = 0;
      for (int k = 0; k < digits.size(); ++k) {
        at += rest % digits[k].extent * digits[k].stride;
        element += rest % digits[k].extent * steps[k];
        rest /= digits[k].extent;
      }
      for (iter const& r : l.replicas)
        if (r.is_on(a) && !store) {
          at += rest % r.extent * r.stride;
          rest /= r.extent;
        }
      to[at] = element;
    }
  }

  AXE_FN constexpr integer warp(integer w) const {
    integer element = 0;
    for (iter const& i : warps) {
      element += w % i.extent * i.stride;
      w /= i.extent;
    }
    return element;
  }
};

/// The address of element x: one place on m.
AXE_LAZY_FN constexpr integer address(layout const& place, integer x) {
  integer at = place.offset(axis::m);
  for (int k = place.shards.size() - 1; k >= 0; --k) {
    at += x % place.shards[k].extent * place.shards[k].stride;
    x /= place.shards[k].extent;
  }
  return place.swizzle(at);
}

/// The cost of an access with vectors of so many elements.
struct shared_cost {
  int vector = 0;     // elements; 0: this width does not fit
  integer waves = 0;  // of all phases
  integer worst = 0;  // of one
};

/// Words of a phase by bank.
struct bank_words {
  integer word[64]{};
  int used = 0;

  AXE_FN constexpr void want(integer w) {
    for (int i = 0; i < used; ++i)
      if (word[i] == w) return;
    word[used++] = w;
  }
  AXE_FN constexpr int waves() const {
    int count[32]{}, most = 0;
    for (int i = 0; i < used; ++i) {
      int const bank = static_cast<int>(word[i] % 32);
      if (++count[bank] > most) most = count[bank];
    }
    return most;
  }
};

AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          int vector, step_limit& steps) {
  shared_cost cost;
  int const bits = vector * width, together = bits <= 32 ? 32 : 1024 / bits;
  for (integer w = 0; w < a.warp_count; ++w) {
    integer const of_warp = a.warp(w);
    for (int slot = 0; slot < a.slots; slot += vector)
      for (int from = 0; from < warp_lanes; from += together) {
        bank_words wanted;
        for (int l = from; l < from + together; ++l) {
          if (a.lane[l] < 0) continue;
          integer first = -1;
          for (int i = 0; i < vector; ++i) {
            if (!steps.take()) return {};
            if (slot + i >= a.slots || a.slot[slot + i] < 0) {
              if (vector > 1) return {};
              continue;
            }
            integer const at = address(place, of_warp + a.lane[l] + a.slot[slot + i]);
            if (i == 0) first = at;
            if (at != first + i || first % vector != 0) return {};
          }
          for (integer b = 0; b < (bits < 32 ? 1 : bits / 32) && first >= 0; ++b)
            wanted.want(first * width / 32 + b);
        }
        integer const waves = wanted.waves();
        cost.waves += waves;
        cost.worst = waves > cost.worst ? waves : cost.worst;
      }
  }
  cost.vector = vector;
  return cost;
}

/// The widest vectors that fit.
AXE_LAZY_FN constexpr shared_cost cost_of(register_access const& a, layout const& place, int width,
                                          step_limit& steps) {
  for (int vector = 128 / width; vector > 0; vector /= 2)
    if (shared_cost const cost = cost_of(a, place, width, vector, steps); cost.vector > 0)
      return cost;
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
