// SPDX-License-Identifier: MIT
// fit(source, first, second, steps), the engine: searches for a layout, with any swizzle, that has
// the source's places. It tries the swizzle `first`, then `first` and `second` with other M, then
// all others.
//
//     places f(f(x)), f = swizzle(0,2,2), x < 16          S[16:1]
//
// Definition: docs/algebra.md, D10.
#pragma once

#include <axe/engine/any_swizzle.hpp>
#include <axe/engine/fit_behind.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The smallest `bits` with all addresses in [-2^bits, 2^bits), at most 54.
AXE_LAZY_FN constexpr int bits_of(interval reach) {
  int bits = 0;
  while (bits < 54 && ((reach.least >> bits) < -1 || (reach.largest >> bits) > 0)) ++bits;
  return bits;
}

/// Searches for a swizzle g that maps the addresses of an unswizzled layout to those of the source.
struct swizzle_search {
  place_source const* source;
  step_limit* steps;
  int bits = 0;
  list<integer, 256> seen{};  // distinct addresses, by element
  int replicas = 0;           // per element
  static constexpr int sample_count = 64;
  int log2_size = 0;                              // 0 unless the size is a power of two
  list<integer, 2 * sample_count + 3> samples{};  // addresses that samples_add_up compares
  divisor_list divisors{};

  AXE_LAZY_FN static constexpr bool is_on_memory(place const& p) {
    for (term const& t : p.terms)
      if (!t.is_on(axis::m) && t.n != 0) return false;
    return true;
  }

  /// False if no swizzle helps: a place is not on m, or elements have different numbers of places.
  AXE_LAZY_FN constexpr bool read_elements() {
    for (integer x = 0; x < source->size && source->count * (x + 1) <= seen.capacity; ++x) {
      int const begin = seen.count;
      for (integer j = 0; j < source->count; ++j) {
        place const p = source->at(x, j);
        if (!is_on_memory(p)) return false;
        int k = begin;
        while (k < seen.count && seen[k] != p[axis::m]) ++k;
        if (k == seen.count) seen.push(p[axis::m]);
      }
      steps->taken += source->cost * source->count;
      if (x == 0) replicas = seen.count;
      if (seen.count - begin != replicas) return false;
    }
    bits = bits_of(source->on_m);
    return true;
  }

  AXE_LAZY_FN constexpr bool read_samples() {
    if (is_power_of_two(source->size)) log2_size = ceil_log2(source->size);
    if (source->size <= seen.count || source->count != 1 ||
        (log2_size == 0 && !is_large(source->size, *steps)))
      return true;
    bool on_memory = true;
    auto const read = [&](integer x) {
      place const p = source->at(x, 0);
      on_memory = on_memory && is_on_memory(p);
      samples.push(p[axis::m]);
    };
    read(0);
    for (int k = 0; k < log2_size; ++k) read(integer{1} << k);
    for (int i = 0; i <= sample_count; ++i) {
      read(sampled_element(i, source->size));
      if (log2_size == 0) read(source->size - 1 - sampled_element(i, source->size));
    }
    steps->taken += source->cost * samples.count;
    return on_memory;
  }

  /// Without a swizzle, the places of x and size - 1 - x have the same sum for all x. If the size
  /// is a power of two, each bit of x adds one term to the place. True if this holds for g^-1 of
  /// the samples.
  AXE_LAZY_FN constexpr bool samples_add_up(axe::swizzle g) const {
    if (samples.count == 0) return true;
    integer alone[62]{};
    integer const base = g.inverse(samples[0]);
    int next = 1;
    for (int k = 0; k < log2_size; ++k) alone[k] = g.inverse(samples[next++]) - base;
    integer const pair_sum = g.inverse(samples[next]) + g.inverse(samples[next + 1]);
    for (int i = 0; i <= sample_count; ++i) {
      integer const at = g.inverse(samples[next++]);
      integer sum = base;
      for (int k = 0; k < log2_size; ++k)
        sum += (sampled_element(i, source->size) >> k & 1) * alone[k];
      if (log2_size == 0) sum = pair_sum - g.inverse(samples[next++]);
      if (at != sum) return false;
    }
    return true;
  }

  /// The range of g^-1 of x's addresses. `spread`: the sum of their distances from the smallest.
  AXE_LAZY_FN constexpr interval reach(axe::swizzle g, integer x, integer& spread) const {
    interval found{largest, -largest};
    integer sum = 0;
    for (int k = 0; k < replicas; ++k) {
      integer const at = g.inverse(seen[static_cast<int>(x) * replicas + k]);
      found = {smaller(found.least, at), larger(found.largest, at)};
      sum += at;
    }
    steps->taken += x == 0 ? replicas / 4 : replicas;
    spread = sum - replicas * found.least;
    return found;
  }

  /// False if the first elements rule g out. R is symmetric: the mean of an element's addresses is
  /// halfway between the extremes.
  AXE_LAZY_FN constexpr bool may_fit(axe::swizzle g) const {
    if (replicas == 0) return true;
    integer const first = seen.count / replicas;
    integer spread = 0;
    auto const [origin, most] = reach(g, 0, spread);
    if (2 * spread != replicas * (most - origin)) return false;
    for (integer spacing = 1; spacing < smaller(first, source->size);) {
      integer extent = source->size / spacing;
      integer spread_here = spread;
      integer previous = reach(g, spacing, spread_here).least;
      integer const step = previous - origin;
      for (integer i = 2; i * spacing < first && spread_here == spread && extent > 1; ++i) {
        integer const here = reach(g, i * spacing, spread_here).least;
        if (here - previous != step) extent = greatest_common_divisor(extent, i);
        previous = here;
      }
      if (spread_here != spread || extent == 1) return false;
      spacing *= extent;
    }
    return true;
  }

  AXE_LAZY_FN constexpr bool rules_out(axe::swizzle g) const {
    return bool(rule_out_digits(places_before{source, g}, source->size, divisors, *steps));
  }

  AXE_LAZY_FN constexpr bool fits_or_undecided(axe::swizzle g, outcome<layout>& answer) {
    if (steps->take(4) && !(samples_add_up(g) && may_fit(g))) return false;
    if (rules_out(g)) return false;
    answer = steps->spent() ? steps->refusal() : fit_behind(*source, g, *steps);
    return answer || answer.why.is(rule::undecided);
  }

  AXE_LAZY_FN constexpr bool find(axe::swizzle first, axe::swizzle second,
                                  outcome<layout>& answer) {
    bool on_memory = read_elements() && read_samples();
    if (is_large(source->size, *steps)) divisors = divisors_of(source->size);
    if (!on_memory) {
      if (rules_out(axe::swizzle{})) return false;
      answer = fit_behind(*source, {}, *steps);
      return answer || answer.why.is(rule::undecided);
    }
    if (bits == 54) steps->spend_all();  // sums of addresses may overflow
    return any_swizzle(first, second, bits, source->on_m.least < 0,
                       [&](axe::swizzle g) { return fits_or_undecided(g, answer); });
  }
};

AXE_LAZY_FN constexpr outcome<layout> fit(place_source const& source, axe::swizzle first,
                                          axe::swizzle second, step_limit steps) {
  if (source.count < 0 || source.count > steps.allowed) return steps.refusal();
  outcome<layout> answer;
  step_limit without_swizzles = steps;
  bool const swizzled = !(first.none() && second.none());
  if (swizzled && swizzle_search{&source, &steps}.find(first, second, answer)) return answer;
  // If no swizzle fits, this finds the elements that the refusal names. A refusal about replicas
  // would be untrue, because replicas are added before the swizzle.
  answer = fit_behind(source, {}, without_swizzles);
  if (swizzled && (answer.why.is(rule::undecided) || answer.why.is(rule::no_layout_replicas)))
    return refusal{rule::no_layout_behind_a_swizzle};
  return answer;
}

/// False for a limit that also stops `fit`, such as too_many_shards.
AXE_LAZY_FN constexpr bool is_about_the_map(rule r) {
  switch (r) {
    case rule::undecided:
    case rule::result_places_overflow:
    case rule::places_overflow:
    case rule::result_size_overflows:
    case rule::too_many_shards:
    case rule::too_many_replicas:
    case rule::too_many_offsets:
    case rule::too_many_axes:
    case rule::result_too_many_axes: return false;
    default: return true;
  }
}

/// `found`. If it is a refusal other than undecided, then `why`.
AXE_LAZY_FN constexpr outcome<layout> found_or(outcome<layout> const& found, refusal const& why) {
  return found || found.why.is(rule::undecided) ? found : outcome<layout>(why);
}

/// A layout of the places along the walk if the operand has a swizzle, else `why`.
AXE_LAZY_FN constexpr outcome<layout> fit_if_swizzled(valid_layout operand, box_walk const& walk,
                                                      refusal const& why, step_limit& steps) {
  layout const& l = operand;
  if (l.swizzle.none() || !is_about_the_map(why.which)) return why;
  outcome<layout> const form = canonical(operand);
  if (!form) return form;
  return fit(walked_places(*form, walk), form->swizzle, {}, steps);
}

/// The same map without a swizzle.
AXE_LAZY_FN constexpr outcome<layout> try_unswizzled(valid_layout operand, step_limit& steps) {
  layout const& l = operand;
  if (l.swizzle.none()) return l;
  outcome<layout> const form = canonical(operand);
  if (!form || form->swizzle.none()) return form;
  // Split off the slowest digits a, as far as they move by whole periods: f(a + b) = a + f(b). If
  // all elements have a layout without a swizzle, the elements without these digits have one too.
  layout inner = *form;
  integer const period = inner.swizzle.period();
  digit_builder digits;
  for (integer per_period = 1; per_period == 1 && inner.shards.count > 0;) {
    iter& i = inner.shards[0];
    per_period = period / greatest_common_divisor(period, i.stride);
    if (i.extent % per_period != 0) break;
    digits.push({i.extent / per_period, i.stride * per_period, i.on});
    i.extent = per_period;
    if (per_period == 1) inner.shards.erase(0);
  }
  outcome<layout> plain =
      fit_behind(walked_places(inner, walk_of(product_of_extents(inner.shards), 1)), {}, steps);
  if (!plain) return plain;
  for (iter const& i : plain->shards) digits.push(i);
  if (refusal const bad = digits.finish(plain.value.shards)) return bad;
  return canonical_result(*plain);
}
/// The same map without a swizzle, or the operand if that is not found.
AXE_LAZY_FN constexpr layout unswizzled(valid_layout operand) {
  step_limit steps;
  outcome<layout> const plain = try_unswizzled(operand, steps);
  return plain ? *plain : operand;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
