// SPDX-License-Identifier: MIT
// canonical(L): the unique form of D, and the normal form of R, O and the swizzle.
//
//     S[4:1] + R[2:-1@warp]   S[4:1] + R[2:1@warp] - 1@warp
//
// Definition: docs/algebra.md, D5.
#pragma once

#include <axe/base/sort.hpp>
#include <axe/map/reach.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Appends a digit, fused with its left neighbour if possible. False if full.
AXE_FN constexpr bool push_digit(auto& done, iter i) {
  if (i.extent == 1) return true;
  if (i.stride == 0) i.on = axis::null;
  if (done.count > 0) {  // divides, because extent * stride may overflow
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

struct digit_builder {
  iter_list done;
  int left_out = 0;  // digits beyond the capacity

  /// Always true. `finish` reports lost digits.
  AXE_LAZY_FN constexpr bool push(iter const& i) {
    if (!push_digit(done, i)) ++left_out;
    return true;
  }

  AXE_LAZY_FN constexpr refusal finish(iter_list& into) const {
    if (left_out > 0) return {rule::too_many_shards, {done.count + left_out}};
    into = done;
    return {};
  }
};

AXE_FN constexpr iter_list canonical_shards(iter_list const& shards) {
  iter_list done;
  for (int k = 0; k < shards.count; ++k) push_digit(done, shards.at[k]);
  return done;
}

struct axis_number {
  AXE_FN constexpr stl::uint64_t operator()(axis a) const { return number_of(a); }
  AXE_FN constexpr stl::uint64_t operator()(term const& t) const { return number_of(t.on); }
};

/// Orders O by first use of the axes in D and R, then by axis number.
AXE_LAZY_FN constexpr void canonicalize_offsets(layout& l) {
  if (l.offsets.count > 1) sort_by(l.offsets, axis_number{});
  order_offsets(l);
}

/// Removes a swizzle that moves no address. Ignores the caller's step limit, so that the answer
/// depends on the layout only.
AXE_LAZY_FN constexpr layout drop_idle_swizzle(valid_layout operand) {
  layout l = operand;
  if (l.swizzle.none()) return l;
  step_limit steps;
  swizzled_reach walked;
  if (!walk_swizzled(l, walked, steps) && !walked.moves_an_address) l.swizzle = {};
  return l;
}

AXE_LAZY_FN constexpr outcome<layout> canonical(valid_layout operand) {
  layout const& l = operand;
  outcome<layout> result;
  layout& done = result.value;
  for (int k = 0; k < l.shards.count; ++k) push_digit(done.shards, l.shards.at[k]);
  if (l.replicas.count == 0) {
    done.offsets = l.offsets;
  } else {
    axis_list axes = axes_of(l);
    sort_by(axes, axis_number{});
    for (axis a : axes) {
      sum_set const set = sums_on(l.replicas, a);
      push_replicas(done.replicas, set.iters, a);
      if (refusal const bad = add_to_offset(done, l.offset(a) + set.least, a)) return bad;
    }
  }
  canonicalize_offsets(done);
  if (l.swizzle.none()) return result;
  done.swizzle = l.swizzle;
  done.swizzle = drop_idle_swizzle(valid_layout::proved(done)).swizzle;
  return result;
}

AXE_LAZY_FN constexpr refusal about_result(refusal bad) {
  switch (bad.which) {
    case rule::places_overflow: bad.which = rule::result_places_overflow; break;
    case rule::too_many_axes: bad.which = rule::result_too_many_axes; break;
    default: break;
  }
  return bad;
}
AXE_LAZY_FN constexpr refusal check_result(layout const& made) { return about_result(check(made)); }

AXE_LAZY_FN constexpr outcome<layout> canonical_result(layout const& made) {
  if (refusal const bad = check_result(made)) return bad;
  return canonical(valid_layout::proved(made));
}

/// canonical_result of a layout with canonical digits and no blocks. May change `made`.
AXE_LAZY_FN constexpr outcome<layout> finished(layout& made) {
  if (refusal const bad = check_result(made)) return bad;
  if (made.replicas.count > 0 || !made.swizzle.none()) return canonical(valid_layout::proved(made));
  canonicalize_offsets(made);
  return made;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
