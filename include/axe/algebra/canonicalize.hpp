// canonicalize(L): the same map with D in its one form, and R and O in a normal form.
//
//     D, in order     extent 1 goes; stride 0 goes to the null axis; neighbours (e1 : e2*s)(e2 : s) on one axis become (e1*e2 : s)
//     R, axis by axis extent 1 and stride 0 go; (e : -s) becomes (e : s) with O -= (e-1)*s; guarded absorbing, strides ascending
//     O               no zeros
//
//     canonicalize(S[(2,4):(4,1)])                    S[8:1]
//     canonicalize(S[4:1] + R[2:-1@warp])             S[4:1] + R[2:1@warp] - 1@warp
//     canonicalize(S[1:1] + R[2:1] + R[2:3])          S[] + R[2:1] + R[2:3]       {0,1,3,4} is no run of 5
//
// D is unique for the map. R is unique for its set where it is `gap_ok`; elsewhere two canonical
// layouts may still be one map, and `equivalent` decides. Axes of R, and those that only O names,
// come in the order of the axis table. A swizzle that moves none of the addresses is dropped.
// Blocks of a grouped layout are dropped. Refused: what `check` refuses. O(iters * axes) for D; R,
// of at most 8 iters, is sorted by insertion and absorbed pair by pair.
// Source: the Axe paper, Appendix A; the guard on absorbing and the null axis are corrections
// (docs/algebra.md).
// Definition: docs/algebra.md, D5.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/normal_form.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_PLANNER constexpr outcome<layout> try_canonicalize(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::canonical(l);
}

AXE_PLANNER constexpr layout canonicalize(layout const& l) {
  outcome<layout> const result = try_canonicalize(l);
  if (!result) detail::stop_on(result.why, "canonicalize", {&l});
  return result.value;
}
AXE_LIFT(canonicalize);

/// Does every axis of R satisfy the gap condition, sorted strides s_{i+1} >= e_i * s_i, once
/// saturated? Then the canonical form is the only one of its map. Most layouts do; real ones that
/// do not exist: ask, never assume.
AXE_PLANNER constexpr outcome<bool> try_gap_ok(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  for (axis a : axes_of(l))
    if (!detail::sums_on(l.replicas, a).gap_ok()) return false;
  return true;
}
AXE_PLANNER constexpr bool gap_ok(layout const& l) {
  outcome<bool> const result = try_gap_ok(l);
  if (!result) detail::stop_on(result.why, "gap_ok", {&l});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
