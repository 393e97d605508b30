// SPDX-License-Identifier: MIT
// The least and largest place that a layout reaches on one axis, through its swizzle.
//
//     swizzle(M=0,B=1,S=1) o S[2:1] + 2       addresses 2 and 3 become 3 and 2: [2, 3]
//     swizzle(M=3,B=3,S=3) o S[(8,8):(64,1)]  plain [0, 455], reached [0, 511]
//
// Only residues modulo the period are tabulated.
// Source: interval sums of digits. Definition: docs/algebra.md, D4, D16.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// D and R together.
using iter_bag = list<iter, capacity::shards + capacity::replicas>;

struct swizzled_walk {
  axe::swizzle f;
  iter_bag inner;
  interval reached;
  bool started = false;
  bool moves = false;
  step_limit* steps = nullptr;

  AXE_FN constexpr bool visit(integer address, integer outer_least, integer outer_largest) {
    if (!steps->take()) return false;
    integer const to = f(address);
    moves = moves || to != address;
    if (!started || to + outer_least < reached.least) reached.least = to + outer_least;
    if (!started || to + outer_largest > reached.largest) reached.largest = to + outer_largest;
    started = true;
    return true;
  }

  /// All sums of digits from k on, each iter cut into whole periods and a rest.
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
    integer const rest_to = i.stride == 0 ? 1 : i.extent;
    integer const shift = rest_from < rest_to
                              ? rest_from * i.stride
                              : 0;  // unused if the rest is empty; it could overflow
    for (integer c = rest_from; c < rest_to; ++c)
      if (!walk(k + 1, address + (c - rest_from) * i.stride, outer_least + shift,
                outer_largest + shift))
        return false;
    return true;
  }
};

AXE_LAZY_FN constexpr outcome<swizzled_walk> walk_swizzled(layout const& l, step_limit& steps) {
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

AXE_LAZY_FN constexpr outcome<interval> reach_of(layout const& l, axis a, step_limit steps = {}) {
  if (!l.swizzle.none() && a == axis::m) {
    outcome<swizzled_walk> const walked = walk_swizzled(l, steps);
    if (!walked) return walked.why;
    return walked->reached;
  }
  interval reach;
  plain_reach(l, a, reach);  // fits in a valid layout
  return reach;
}

AXE_LAZY_FN constexpr outcome<interval> try_reach(layout const& l, axis a) {
  if (axe::refusal const bad = check(l)) return bad;
  return reach_of(l, a);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
