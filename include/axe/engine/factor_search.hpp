// SPDX-License-Identifier: MIT
// factor_search: finds the operand A of a sum T = A + K under a swizzle, if the erosion of T by K
// (eroded_places.hpp) has more places than A.
//
//     sum_inner(swizzle(0,1,1) o S[2:4] + R[3:2] + R[2:3], (2), S[1:0] + R[2:2], (1))
//         swizzle(0,1,1) o S[2:4] + R[3:2]
//
// Definition: docs/algebra.md, D12.
#pragma once

#include <axe/engine/eroded_places.hpp>
#include <axe/engine/memory_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct factor_search {
  eroded_places const* eroded;
  step_limit* steps;
  axe::swizzle g{};
  integer start = 0;  // smallest g^-1 of element 0's places
  list<sum_iter, capacity::replicas> replicas;
  listed_values sums{};  // places of the replicas, minus `start`
  iter_list digits;      // slowest first
  integer made = 1;      // product of their extents

  AXE_LAZY_FN constexpr factor_search(eroded_places const& places, step_limit& bound)
      : eroded(&places), steps(&bound) {}

  /// g^-1 of the erosion at x.
  AXE_LAZY_FN constexpr listed_values eroded_before(integer x) const {
    if (eroded->cache->element != x) {
      steps->taken += eroded->cost * eroded->of.count;
      eroded->erode(x);
    }
    steps->taken += 1 + eroded->cache->places.values.count / 4;
    listed_values values = eroded->cache->places.values;
    for (integer& v : values) v = g.inverse(v);
    return values;
  }

  AXE_LAZY_FN constexpr bool list_sums() {
    sum_set all;
    for (sum_iter const& r : replicas) all.add(r.extent, r.stride);
    step_limit unbounded(largest);
    sums.clear();
    for (integer v = 0; v != all.none; v = all.at_least(v + 1, unbounded))
      if (!sums.push(v)) return false;
    return true;
  }

  /// True if the erosion at x contains the replicas moved by d.
  AXE_LAZY_FN constexpr bool inside(integer x, integer d) const {
    listed_values const there = eroded_before(x);
    steps->taken += 1 + sums.count * there.count / 8;
    for (integer r : sums)
      if (!there.contains(start + d + r)) return false;
    return true;
  }
  /// True if the replicas, moved by d, plus K give all places of T(x).
  AXE_LAZY_FN constexpr bool covers(integer x, integer d) const {
    listed_values places;
    for (integer r : sums) places.push(g(start + d + r));
    steps->taken += eroded->cost * eroded->of.count;
    return eroded->covered(x, places);
  }

  /// Adds digits until they count all elements. Tries long digits first. False if none fit.
  AXE_LAZY_FN constexpr bool choose_digits() {
    if (made == eroded->size) return true;
    if (digits.count == digits.capacity) return false;
    for (integer z : eroded_before(made)) {
      integer const step = z - start;
      integer longest = 1;
      for (bool fits = true; fits && (longest + 1) * made <= eroded->size; longest += fits ? 1 : 0)
        for (integer x = 0; x < made && fits; ++x) {
          integer const at = longest * made + x;
          integer const d = longest * step + sum_of_digits(digits, x);
          fits = inside(at, d) && covers(at, d) && !steps->spent();
        }
      for (integer e = longest; e > 1; --e) {
        if (eroded->size % (made * e) != 0) continue;
        digits.insert(0, {e, step, axis::m});
        made *= e;
        if (choose_digits()) return true;
        made /= e;
        digits.erase(0);
      }
      if (steps->spent()) return false;
    }
    return false;
  }

  /// `least`: the smallest stride of further replicas.
  AXE_LAZY_FN constexpr bool choose_replicas(listed_values const& there, integer least) {
    if (!steps->take()) return false;
    if (covers(0, 0) && choose_digits()) return true;
    if (replicas.count == replicas.capacity) return false;
    for (integer z : there) {
      if (z - start < least) continue;
      replicas.push({2, z - start});
      for (; list_sums() && inside(0, 0); ++replicas.back().extent)
        if (choose_replicas(there, z - start + 1)) return true;
      replicas.pop();
      list_sums();
      if (steps->spent()) return false;
    }
    return false;
  }

  /// True if a factor has this swizzle, or at the step limit.
  AXE_LAZY_FN constexpr bool tries(axe::swizzle candidate) {
    g = candidate;
    listed_values const there = eroded_before(0);
    for (integer z : there) {
      start = z;
      replicas.clear();
      digits.clear();
      made = 1;
      list_sums();
      if (choose_replicas(there, 1) || steps->spent()) return true;
    }
    return false;
  }

  AXE_LAZY_FN constexpr outcome<layout> find(axe::swizzle first, axe::swizzle second) {
    int const bits = bits_of(eroded->on_m);
    if (bits == 54) return steps->refusal();  // sums would overflow
    bool const found = any_swizzle(first, second, bits, eroded->on_m.least < 0,
                                   [&](axe::swizzle f) { return tries(f); });
    if (steps->spent()) return steps->refusal();
    if (!found) return refusal{rule::no_layout_behind_a_swizzle};
    layout l;
    l.swizzle = g;
    l.shards = digits;
    push_replicas(l.replicas, replicas, axis::m);
    add_to_offset(l, start, axis::m);
    return canonical_result(l);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
