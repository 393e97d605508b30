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
// D is unique for the map. R is unique for its set where it is `gap_ok`; elsewhere two canonical layouts may still be one map,
// and `equivalent` decides. Axes of R, and those that only O names, come in the order of the axis table. A swizzle that moves
// none of the addresses is dropped. Blocks of a grouped layout are dropped. Refused: what `check` refuses. O(iters^2).
// Source: the Axe paper, Appendix A; the guard on absorbing and the null axis are corrections (docs/algebra.md).
#pragma once

#include <axe/algebra/sum_set.hpp>
#include <axe/layout/carrier.hpp>
#include <axe/map/reach.hpp>
#include <axe/refusal/stop.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// D0, Z and D1 in one pass: a fused digit can only fuse again with its new left neighbour.
template <class Shards>
AXE_FN constexpr Shards fused(Shards const& shards) {
  Shards done;
  for (iter i : shards) {
    if (i.extent == 1) continue;
    if (i.stride == 0) i.on = axis::null;
    // The quotient, not the product: extent * stride may not fit where it is another stride.
    if (!done.empty() && done.back().on == i.on &&
        (i.stride == 0 || (done.back().stride % i.stride == 0 && done.back().stride / i.stride == i.extent))) {
      done.back().extent *= i.extent;
      done.back().stride = i.stride;
    } else {
      done.push(i);
    }
  }
  return done;
}

AXE_FN constexpr iter_list canonical_shards(iter_list const& shards) { return fused(shards); }

/// A longer list fused into one that a layout can hold.
template <class Shards>
AXE_FN constexpr refusal fuse(Shards const& shards, iter_list& into) {
  Shards const done = fused(shards);
  into = iter_list{};
  for (iter const& i : done)
    if (!into.push(i)) return {rule::too_many_shards, {done.size()}};
  return {};
}

/// The axes that R or O names, in the order of the axis table.
AXE_FN constexpr axis_list axes_by_value(layout const& l) {
  axis_list sorted;
  for (axis a : axes_of(l)) {
    int at = 0;
    while (at < sorted.size() && sorted[at] < a) ++at;
    sorted.insert(at, a);
  }
  return sorted;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_canonicalize(layout const& l) {
  if (refusal const bad = check(l); bad.which != rule::none) return bad;
  layout done;
  done.shards = detail::canonical_shards(l.shards);
  for (axis a : detail::axes_by_value(l)) {
    detail::sum_set const set = detail::sums_on(l.replicas, a);
    for (detail::run const& r : set.runs) done.replicas.push({r.extent, r.stride, a});
    integer const o = l.offset(a) + set.least;
    if (o != 0 && !done.offsets.push({o, a})) return refusal{rule::too_many_offsets, {done.offsets.size() + 1}};
  }
  detail::order_offsets(done);
  done.swizzle = l.swizzle;
  if (!done.swizzle.none()) {
    step_budget steps;
    outcome<detail::swizzled_walk> const walked = detail::walk_swizzled(done, steps);
    if (walked && !walked->moves) done.swizzle = {};
  }
  return done;
}

AXE_FN constexpr layout canonicalize(layout const& l) {
  outcome<layout> const result = try_canonicalize(l);
  detail::stop_on(result.why, "canonicalize", {&l});
  return *result;
}
AXE_LIFT(canonicalize);

/// Does every axis of R satisfy the gap condition, sorted strides s_{i+1} >= e_i * s_i, once saturated? Then the canonical form is
/// the only one of its map. Most layouts do; real ones that do not exist: ask, never assume.
AXE_FN constexpr outcome<bool> try_gap_ok(layout const& l) {
  if (refusal const bad = check(l); bad.which != rule::none) return bad;
  for (axis a : axes_of(l))
    if (!detail::sums_on(l.replicas, a).gap_ok()) return false;
  return true;
}
AXE_FN constexpr bool gap_ok(layout const& l) {
  outcome<bool> const result = try_gap_ok(l);
  detail::stop_on(result.why, "gap_ok", {&l});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE
