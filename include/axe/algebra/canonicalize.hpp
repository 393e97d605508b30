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
#include <axe/map/reach.hpp>
#include <axe/map/sum_set.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Adds a digit to a canonical list, slowest first: D0, Z and D1 at each. A fused digit can only
/// fuse again with its new left neighbour. False when the list is full.
AXE_PLANNER constexpr bool push_digit(iter_list& done, iter i) {
  if (i.extent == 1) return true;
  if (i.stride == 0) i.on = axis::null;
  // The quotient, not the product: extent * stride may not fit where it is another stride.
  if (done.count > 0) {
    iter& last = done.at[done.count - 1];
    if (last.on == i.on &&
        (i.stride == 0 || (last.stride % i.stride == 0 && last.stride / i.stride == i.extent))) {
      last.extent *= i.extent;
      last.stride = i.stride;
      return true;
    }
  }
  return done.push(i);
}

/// A canonical digit list in the making that counts what it has no room for.
struct digit_builder {
  iter_list done;
  int left_out = 0;  // digits beyond capacity, after fusing

  AXE_FN constexpr bool push(iter const& i) {
    if (!push_digit(done, i)) ++left_out;
    return true;
  }

  /// Moves the list to its place; refused when it is too long.
  AXE_FN constexpr refusal finish(iter_list& into) const {
    if (left_out > 0) return {rule::too_many_shards, {done.size() + left_out}};
    into = done;
    return {};
  }
};

AXE_PLANNER constexpr iter_list canonical_shards(iter_list const& shards) {
  iter_list done;
  for (int k = 0; k < shards.count; ++k) push_digit(done, shards.at[k]);
  return done;
}

/// Digits of any list, canonical, if a layout can hold them.
template <class Shards> AXE_FN constexpr refusal fuse(Shards const& shards, iter_list& into) {
  digit_builder builder;
  for (iter const& i : shards) builder.push(i);
  return builder.finish(into);
}

/// The axes that a layout names, in the order of the axis table.
AXE_PLANNER constexpr axis_list axes_by_value(layout const& l) {
  axis_list sorted;
  for (axis a : axes_of(l)) {
    int at = 0;
    while (at < sorted.size() && sorted[at] < a) ++at;
    sorted.insert(at, a);
  }
  return sorted;
}

/// O in its one form where axes that only O names come in the order of the axis table, whoever
/// wrote them first.
AXE_PLANNER constexpr void order_offsets_by_value(layout& l) {
  if (l.offsets.empty()) return;
  for (int i = 1; i < l.offsets.size(); ++i)
    // nvcc takes `.on <` for the beginning of arguments where the function template `on` is
    // declared before.
    for (int j = i; j > 0 && l.offsets[j - 1].on > l.offsets[j].on; --j) {
      term const moved = l.offsets[j];
      l.offsets[j] = l.offsets[j - 1];
      l.offsets[j - 1] = moved;
    }
  order_offsets(l);
}

}  // namespace detail

namespace detail {

/// A checked layout without a swizzle that moves none of its addresses: equal maps must get equal
/// answers.
AXE_PLANNER constexpr layout drop_idle_swizzle(layout l) {
  if (l.swizzle.none()) return l;
  step_budget steps;
  outcome<swizzled_walk> const walked = walk_swizzled(l, steps);
  if (walked && !walked->moves) l.swizzle = {};
  return l;
}

/// The canonical form of a layout that has passed `check`.
AXE_PLANNER constexpr outcome<layout> canonical(layout const& l) {
  outcome<layout> result;
  layout& done = result.value;
  for (int k = 0; k < l.shards.count; ++k) push_digit(done.shards, l.shards.at[k]);
  if (l.replicas.empty()) {
    done.offsets = l.offsets;
  } else {
    for (axis a : axes_by_value(l)) {
      sum_set const set = sums_on(l.replicas, a);
      for (run const& r : set.runs) done.replicas.push({r.extent, r.stride, a});
      integer const o = l.offset(a) + set.least;
      if (o != 0 && !done.offsets.push({o, a}))
        return refusal{rule::too_many_offsets, {done.offsets.size() + 1}};
    }
  }
  order_offsets_by_value(done);
  if (l.swizzle.none()) return result;
  done.swizzle = l.swizzle;
  done.swizzle = drop_idle_swizzle(done).swizzle;
  return result;
}

/// A rule that an operation's result breaks, as a sentence about the result: the operands are valid.
AXE_PLANNER constexpr refusal about_result(refusal bad) {
  switch (bad.which) {
    case rule::places_overflow: bad.which = rule::result_places_overflow; break;
    case rule::too_many_axes: bad.which = rule::result_too_many_axes; break;
    default: break;
  }
  return bad;
}
AXE_PLANNER constexpr refusal check_result(layout const& made) { return about_result(check(made)); }

/// The canonical form of what an operation made; checked here.
AXE_PLANNER constexpr outcome<layout> canonical_result(layout const& made) {
  if (refusal const bad = check_result(made)) return bad;
  return canonical(made);
}

/// The same of canonical digits, without blocks.
AXE_PLANNER constexpr outcome<layout> finished(layout& made) {
  if (refusal const bad = check_result(made)) return bad;
  if (made.replicas.count > 0 || !made.swizzle.none()) return canonical(made);
  order_offsets_by_value(made);
  return made;
}

}  // namespace detail

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
