// SPDX-License-Identifier: MIT
// widest_vector(L, bits): the most elements of one vector access, if all accesses of L are equal.
// contiguity, alignment, redundancy: measures of the addresses of L.
//
//     widest_vector(S[(64,64):(66,1)], 16)     2 elements of 16 bits
//
// The cost is O(iters) without a swizzle, else at most O(places); redundancy may take longer. The
// base pointer must be aligned to the vector, too.
#pragma once

#include <axe/algebra/pack.hpp>
#include <axe/analysis/addresses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr refusal for_each_element(layout const& l, step_limit& steps, auto const& visit) {
  bool more = true;
  return for_each_replica(l, steps, [&](integer replica) -> refusal {
    for (integer x = 0, size = product_of_extents(l.shards); more && x < size; ++x) {
      if (!steps.take()) return steps.refusal();
      more = visit(x, replica);
    }
    return {};
  });
}

AXE_LAZY_FN constexpr outcome<layout> canonical_in_memory(layout const& l) {
  outcome<layout> const canonical = try_canonicalize(l);
  if (!canonical) return canonical;
  if (refusal const bad = check_on_memory(l, rule::access_on_memory_only)) return bad;
  return canonical;
}

/// Precondition: canonical, without a swizzle.
AXE_LAZY_FN constexpr integer plain_contiguity(iter_list const& shards) {
  return !shards.empty() && shards.back().stride == 1 ? shards.back().extent : 1;
}

/// After this many values of the digit, the addresses repeat modulo the period.
AXE_FN constexpr integer cycle_of(iter const& digit, integer period) {
  return period / greatest_common_divisor(period, digit.stride);
}
/// Keeps `times` cycles and one more value. Further cycles show nothing new, because
/// f(m + period) = f(m) + period for a swizzle f.
AXE_FN constexpr iter until_it_repeats(iter digit, integer period, integer times) {
  digit.extent = smaller(digit.extent, times * cycle_of(digit, period) + 1);
  return digit;
}

AXE_LAZY_FN constexpr bool has_address(layout const& l, integer x, integer address,
                                       step_limit& steps) {
  if (l.replicas.empty()) return false;
  integer const plain = l.swizzle.inverse(address) - l.offset(axis::m) - sum_of_digits(l.shards, x);
  return sums_on(l.replicas, axis::m).contains(plain, steps);
}

/// The largest divisor n of `size` for which elements kn to kn + n - 1 have consecutive addresses.
/// If `in_any_replica`, the next address may belong to another replica.
AXE_LAZY_FN constexpr outcome<integer> longest_run(layout const& l, integer size,
                                                   bool in_any_replica, step_limit& steps) {
  integer run = size;
  integer before = 0;
  refusal const bad = for_each_element(l, steps, [&](integer x, integer replica) {
    integer const here = address_at(l, x, replica);
    bool const follows =
        here == before + 1 || (in_any_replica && has_address(l, x, before + 1, steps));
    if (x > 0 && !follows) run = greatest_common_divisor(run, x);
    before = here;
    return run > 1;
  });
  if (bad) return bad;
  return run;
}

}  // namespace detail

/// The largest n for which elements kn to kn + n - 1 have consecutive addresses, for every k.
AXE_LAZY_FN constexpr outcome<integer> try_contiguity(layout const& l, step_limit steps = {}) {
  using namespace detail;
  outcome<layout> const c = canonical_in_memory(l);
  if (c.why) return c.why;
  if (c->swizzle.none()) return plain_contiguity(c->shards);
  integer const period = c->swizzle.period();
  // An iter whose stride is a multiple of the period repeats the same runs.
  iter_list outer;
  layout inner = *c;
  while (!inner.shards.empty() && inner.shards[0].stride % period == 0) {
    outer.push(inner.shards[0]);
    inner.shards.erase(0);
  }
  integer const size = product_of_extents(inner.shards);
  if (size > 1) inner.shards[0] = until_it_repeats(inner.shards[0], period, 2);
  for (iter& r : inner.replicas) r = until_it_repeats(r, period, 1);
  outcome<integer> run = longest_run(inner, size, false, steps);
  if (run && *run < size && !inner.replicas.empty()) {
    inner.replicas = c->replicas;
    // Replicas that are one cycle apart form arithmetic progressions with the same step. One cycle
    // and the rest of the replicas show whether two elements' progressions start and end together.
    if (inner.replicas.count == 1) {
      iter& r = inner.replicas[0];
      integer const cycle = cycle_of(r, period);
      if (r.extent > cycle) r.extent = cycle + r.extent % cycle;
    }
    run = longest_run(inner, size, true, steps);
  }
  if (run.why || *run < size || size == 1) return run;
  outer.push({size, 1, axis::m});
  return plain_contiguity(canonical_shards(outer));
}

/// The largest n that divides every address; 0 if the only address is 0.
AXE_LAZY_FN constexpr outcome<integer> try_alignment(layout const& l, step_limit steps = {}) {
  using namespace detail;
  outcome<layout> const c = canonical_in_memory(l);
  if (c.why) return c.why;
  integer divisor = 0;
  if (c->swizzle.none()) {
    divisor = magnitude(c->offset(axis::m));
    for (iter const& i : c->shards) divisor = greatest_common_divisor(divisor, i.stride);
    for (iter const& r : c->replicas) divisor = greatest_common_divisor(divisor, r.stride);
    return divisor;
  }
  layout one_cycle = *c;
  for (iter& i : one_cycle.shards) i = until_it_repeats(i, one_cycle.swizzle.period(), 1);
  for (iter& r : one_cycle.replicas) r = until_it_repeats(r, one_cycle.swizzle.period(), 1);
  refusal const bad = for_each_element(one_cycle, steps, [&](integer x, integer replica) {
    divisor = greatest_common_divisor(divisor, address_at(one_cycle, x, replica));
    return divisor != 1;
  });
  if (bad) return bad;
  return divisor;
}

namespace detail {

/// True if elements kn to kn + n - 1 are an aligned vector, for every k. Precondition: n is a power
/// of two that divides the size.
AXE_LAZY_FN constexpr outcome<bool> makes_vectors(layout const& l, integer n, step_limit& steps) {
  bool const keeps_runs_together = l.swizzle.none() || n <= (integer{1} << l.swizzle.M);
  if (keeps_runs_together) return !pack_digits(l, n, axis::m).why;
  bool is_vector = true;
  integer before = 0;
  refusal const bad = for_each_element(l, steps, [&](integer x, integer replica) {
    integer const here = address_at(l, x, replica);
    is_vector = x % n == 0 ? floor_divide(here, n) * n == here
                           : here == before + 1 || has_address(l, x, before + 1, steps);
    before = here;
    return is_vector;
  });
  if (bad) return bad;
  return is_vector;
}

}  // namespace detail

/// The largest power of two n for which elements kn to kn + n - 1 are an aligned vector, for every
/// k. The vector has at most 16 bytes. `bits`: a power of two up to 128.
AXE_LAZY_FN constexpr outcome<integer> try_widest_vector(layout const& l, integer bits,
                                                         step_limit steps = {}) {
  using namespace detail;
  if (!is_power_of_two(bits) || bits > 128) return refusal{rule::element_width, {bits}};
  outcome<layout> const c = canonical_in_memory(l);
  if (c.why) return c.why;
  integer const size = product_of_extents(c->shards);
  for (integer n = 128 / bits; n > 1; n /= 2) {
    if (size % n != 0) continue;
    outcome<bool> const is_vector = makes_vectors(*c, n, steps);
    if (is_vector.why) return is_vector.why;
    if (*is_vector) return n;
  }
  return integer{1};
}

/// The number of places of each element.
AXE_LAZY_FN constexpr outcome<integer> try_redundancy(layout const& l, step_limit steps = {}) {
  outcome<placement> const first = try_places(l, 0);
  if (first.why) return first.why;
  return first->try_size(steps);
}

AXE_LAZY_FN constexpr integer contiguity(layout const& l) {
  return detail::stop_on(try_contiguity(l), "contiguity", {&l});
}
AXE_LAZY_FN constexpr integer alignment(layout const& l) {
  return detail::stop_on(try_alignment(l), "alignment", {&l});
}
AXE_LAZY_FN constexpr integer widest_vector(layout const& l, integer bits) {
  return detail::stop_on(try_widest_vector(l, bits), "widest_vector", {&l});
}
AXE_LAZY_FN constexpr integer redundancy(layout const& l) {
  return detail::stop_on(try_redundancy(l), "redundancy", {&l});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
