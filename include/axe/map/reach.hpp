// The places that a layout reaches on one axis: [least, largest], through a swizzle if there is
// one.
//
//     swizzle(M=0,B=1,S=1) o S[2:1] + 2       addresses 2 and 3 become 3 and 2: least 2, largest 3
//     swizzle(M=3,B=3,S=3) o S[(8,8):(64,1)]  plain largest 455, reached largest 511
//
// Steps that are multiples of the swizzle's period come out, f(a + b) = a + f(b); an iter whose
// stride is not one is split where c * stride is (8:64 = 1:512 8:64 here), and only the rest is
// tabulated, against a stated bound.
// Definition: docs/algebra.md, D4, D16.
// Source: interval sums of digits; the addresses that a swizzle reaches are a correction
// (docs/algebra.md).
#pragma once

#include <axe/layout/check.hpp>
#include <axe/map/steps.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// D and R of a layout as one bag of iters: which addresses occur, not who holds them.
using iter_bag = list<iter, capacity::shards + capacity::replicas>;

struct swizzled_walk {
  axe::swizzle f;
  iter_bag inner;    // digits inside the period, extents as visited
  interval reached;  // so far
  bool started = false;
  bool moves = false;  // f moved some address
  step_budget* steps = nullptr;

  AXE_FN constexpr bool visit(integer address, integer outer_least, integer outer_largest) {
    if (!steps->take()) return false;
    integer const to = f(address);
    moves = moves || to != address;
    if (!started || to + outer_least < reached.least) reached.least = to + outer_least;
    if (!started || to + outer_largest > reached.largest) reached.largest = to + outer_largest;
    started = true;
    return true;
  }

  /// All sums of the digits from k on, each iter cut into whole periods and a rest.
  AXE_FN constexpr bool walk(int k, integer address, integer outer_least, integer outer_largest) {
    if (k == inner.size()) return visit(address, outer_least, outer_largest);
    iter const i = inner[k];
    integer const turn =
        f.period() /
        greatest_common_divisor(f.period(), i.stride);  // c * stride is a multiple of the period
    integer const whole = i.stride == 0 ? 0 : i.extent / turn;
    if (whole > 0) {
      integer const far = (whole - 1) * turn * i.stride;
      for (integer c = 0; c < turn; ++c)
        if (!walk(k + 1, address + c * i.stride, outer_least + smaller(far, 0),
                  outer_largest + larger(far, 0)))
          return false;
    }
    integer const rest_from = i.stride == 0 ? 0 : whole * turn;
    integer const rest_to = i.stride == 0 ? 1 : i.extent;  // a stride of 0 reaches one place
    integer const shift =
        rest_from < rest_to ? rest_from * i.stride : 0;  // may leave 64 bits where nothing is left
    for (integer c = rest_from; c < rest_to; ++c)
      if (!walk(k + 1, address + (c - rest_from) * i.stride, outer_least + shift,
                outer_largest + shift))
        return false;
    return true;
  }
};

/// What l reaches under its swizzle, and whether the swizzle moves anything at all. l has passed
/// `check`.
AXE_PLANNER constexpr outcome<swizzled_walk> walk_swizzled(layout const& l, step_budget& steps) {
  swizzled_walk w;
  w.f = l.swizzle;
  for (iter const& i : l.shards)
    if (i.extent > 1 && i.stride != 0) w.inner.push(i);
  for (iter const& i : l.replicas)
    if (i.extent > 1 && i.stride != 0) w.inner.push(i);
  w.steps = &steps;
  if (!w.walk(0, l.offset(axis::m), 0, 0)) return steps.refusal();
  w.steps = nullptr;
  return w;
}

/// Adds what one digit of a checked layout contributes on a.
AXE_PLANNER constexpr void extend_checked(interval& reach, iter const& i, axis a) {
  if (i.on == a) (i.stride < 0 ? reach.least : reach.largest) += (i.extent - 1) * i.stride;
}

/// The reach of a layout that has passed `check`.
AXE_PLANNER constexpr outcome<interval> reach_of(layout const& l, axis a, step_budget steps = {}) {
  if (!l.swizzle.none() && a == axis::m) {
    outcome<swizzled_walk> const walked = walk_swizzled(l, steps);
    if (!walked) return walked.why;
    return walked->reached;
  }
  interval reach{l.offset(a), l.offset(a)};  // nothing overflows: every partial sum fits
  for (int k = 0; k < l.shards.count; ++k) extend_checked(reach, l.shards.at[k], a);
  for (int k = 0; k < l.replicas.count; ++k) extend_checked(reach, l.replicas.at[k], a);
  return reach;
}

AXE_PLANNER constexpr outcome<interval> try_reach(layout const& l, axis a) {
  if (axe::refusal const bad = check(l)) return bad;
  return reach_of(l, a);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
