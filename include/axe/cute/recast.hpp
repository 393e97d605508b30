// upcast(L, n): the same memory in elements n times as wide. downcast(L, n): n times as narrow.
// recast(L, old_bits, new_bits): both, as the widths say.
//
//     upcast((8,64):(64,1), 8)            (8,8):(8,1)            16-bit elements as 128-bit ones
//     upcast((2,8):(1,2), 4)              (1,4):(1,1)            a wide element across two modes
//     downcast((8,8):(8,1), 2)            (8,16):(16,1)
//     downcast((4,2):(-1,8), 2)           ((2,4),2):((1,-2),16)  narrow elements ascend inside a wide one
//     recast((6,4):(1,6), 16, 24)         (4,4):(1,4)            3 of 16 bits are 2 of 24: up to 48, down to 24
//     upcast((6,4):(1,6), 4)              refused: 4 does not divide 6
//
// upcast: R(j) = floor(L(i) / n), j the element i with each c_k cut by n / |d_k| where |d_k|
// divides n. Refused where a stride and n divide neither way, a cut does not come out, or digits
// below n add up past it; CuTe rounds extents up and loses the order of negative strides. A wide
// element may be filled in part.
// downcast: R(i with t on the stride-1 leaf) = n * L(i) + t for 0 <= t < n. Refused without a leaf
// of stride 1 or -1; with several, the first that moves.
//     upcast(Sw<2,1,3> o 0 o (8,32):(32,1), 4)         Sw<1,0,3> o 0 o (8,8):(8,1)
//
// A swizzle's M shrinks or grows by log2 n, and what it writes below a wide element goes. Refused:
// an n that is no power of two there, a swizzle that reads below the wide element and writes above
// it so that no layout of these modes is left.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/as_plain.hpp>
#include <axe/cute/wide_elements.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Of a layout without a swizzle; its offset may be any.
AXE_FN constexpr outcome<layout> plain_upcast(layout const& l, integer n) {
  layout done = l;
  integer least = l.offset - floor_divide(l.offset, n) * n;  // inside a wide element: from here
  integer most = least;
  for (int k = 0; k < done.leaves.size(); ++k) {
    leaf& d = done.leaves[k];
    if (d.extent == 1 || d.stride % n == 0) {
      d.stride = d.extent == 1 && d.stride % n != 0
                     ? (d.stride < 0 ? -1 : 1) * ceil_divide(magnitude(d.stride), n)
                     : d.stride / n;
      continue;
    }
    integer const in_one = in_one_of(d, n);
    if (in_one == 0) return refusal{rule::cute_does_not_upcast, {k, d.extent, d.stride, n}};
    (d.stride < 0 ? least : most) += (in_one - 1) * d.stride;
    d = {d.extent / in_one, d.stride < 0 ? -1 : 1};
  }
  // A negative stride counts down from the end of a wide element, so it needs an offset there.
  if (least < 0 || most >= n) return refusal{rule::cute_upcast_carries, {least, most, n}};
  done.offset = floor_divide(l.offset, n);
  return done;
}

/// The swizzle in elements of 2^bits: what it writes below them goes.
AXE_FN constexpr axe::swizzle wide_swizzle(axe::swizzle f, int bits) {
  if (f.M >= bits) return {f.M - bits, f.B, f.S};
  if (f.M + f.B <= bits) return {};
  return {0, f.M + f.B - bits, f.S};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_upcast(layout const& operand, integer n,
                                            step_budget steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  layout l = detail::without_idle_swizzle(operand);
  axe::swizzle const f = l.swizzle;
  int const bits = detail::exact_log2(n);
  if (f.none() || (bits >= 0 && (f.S > 0 || f.M >= bits))) {
    l.swizzle = {};
    outcome<layout> done = detail::plain_upcast(l, n);
    if (done && !f.none()) done.value.swizzle = detail::wide_swizzle(f, bits);
    return done;
  }
  for (int k = 0; k < l.leaves.size(); ++k)
    if (leaf const& d = l.leaves[k]; detail::in_one_of(d, n) == 0)
      return refusal{rule::cute_does_not_upcast, {k, d.extent, d.stride, n}};
  bool found = false;
  layout const done =
      detail::widened({l, n}, bits < 0 ? f : detail::wide_swizzle(f, bits), found, steps);
  if (steps.taken > steps.allowed) return steps.refusal();
  if (!found)
    return bits < 0 ? refusal{rule::cute_swizzle_needs_a_power_of_two, {n}}
                    : refusal{rule::cute_swizzle_splits, {n, f.M}};
  return done;
}

AXE_FN constexpr outcome<layout> try_downcast(layout const& operand, integer n) {
  if (refusal const bad = check(operand)) return bad;
  layout const l = detail::without_idle_swizzle(operand);
  if (n < 1) return refusal{rule::extent_argument_below_one, {n}};
  int next_to_each_other = -1;
  for (int k = 0; k < l.leaves.size(); ++k) {
    bool const moves = next_to_each_other >= 0 && l.leaves[next_to_each_other].extent > 1;
    if (detail::magnitude(l.leaves[k].stride) == 1 && !moves &&
        (next_to_each_other < 0 || l.leaves[k].extent > 1))
      next_to_each_other = k;
  }
  if (next_to_each_other < 0) return refusal{rule::cute_nothing_adjacent};
  layout done;
  int at = 0;
  for (int node : l.profile) {
    if (node != leaf_node) {
      detail::add_group(done, node);
      continue;
    }
    leaf d = l.leaves[at];
    if (!detail::multiply(d.stride, n)) return refusal{rule::cute_overflows};
    if (at != next_to_each_other) {
      detail::add_leaf(done, d.extent, d.stride);
    } else if (d.stride > 0 || d.extent == 1) {
      if (!detail::multiply(d.extent, n)) return refusal{rule::cute_overflows};
      detail::add_leaf(done, d.extent, 1);
    } else {
      detail::add_group(done, 2);
      detail::add_leaf(done, n, 1);
      detail::add_leaf(done, d.extent, d.stride);
    }
    ++at;
  }
  done = detail::wrapped_as(done, l);
  if (!detail::multiply(done.offset, n)) return refusal{rule::cute_overflows};
  if (!l.swizzle.none()) {
    int const bits = detail::exact_log2(n);
    if (bits < 0) return refusal{rule::cute_swizzle_needs_a_power_of_two, {n}};
    done.swizzle.M += bits;
  }
  if (refusal const bad = check(done)) return bad;
  return done;
}

AXE_FN constexpr outcome<layout> try_recast(layout const& l, integer old_bits, integer new_bits) {
  if (old_bits < 1 || new_bits < 1)
    return refusal{rule::extent_argument_below_one, {detail::smaller(old_bits, new_bits)}};
  if (refusal const bad = check(l)) return bad;
  integer const common = detail::greatest_common_divisor(old_bits, new_bits);
  outcome<layout> const wide =
      new_bits == common ? outcome<layout>(l) : try_upcast(l, new_bits / common);
  if (!wide || old_bits == common) return wide;
  return try_downcast(*wide, old_bits / common);
}

AXE_FN constexpr layout upcast(layout const& l, integer n, step_budget steps = {}) {
  outcome<layout> const result = try_upcast(l, n, steps);
  if (!result) detail::stop_on(result.why, "upcast", {});
  return *result;
}
AXE_FN constexpr layout downcast(layout const& l, integer n) {
  outcome<layout> const result = try_downcast(l, n);
  if (!result) detail::stop_on(result.why, "downcast", {});
  return *result;
}
AXE_FN constexpr layout recast(layout const& l, integer old_bits, integer new_bits) {
  outcome<layout> const result = try_recast(l, old_bits, new_bits);
  if (!result) detail::stop_on(result.why, "recast", {});
  return *result;
}
AXE_CUTE_LIFT(upcast);
AXE_CUTE_LIFT(downcast);
AXE_CUTE_LIFT(recast);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
