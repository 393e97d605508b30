// SPDX-License-Identifier: MIT
// logical_product(A, B): block A, repeated as tiler B says: (A, A* o B) with A's complement A*.
//
//     logical_product((2,2):(4,1), 6:1)              ((2,2),(2,3)):((4,1),(2,8))
//
// A's swizzle and offset act on the whole result.
#pragma once

#include <axe/cute/divide.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The complement of `block` with at least `repetitions` elements.
AXE_FN constexpr outcome<layout> complement_with(layout const& block, integer repetitions,
                                                 step_limit steps) {
  integer places = size_of(block);
  if (!multiply(places, repetitions)) return refusal{rule::cute_overflows};
  return complement_of(as_plain(block), places, repetitions, steps);
}

AXE_FN constexpr outcome<layout> product_of(layout const& a, layout const& tiler,
                                            step_limit steps) {
  layout const b = without_idle_swizzle(tiler);
  outcome<interval> const reached = reach_from_zero(b.map);
  if (reached.why) return reached.why;
  layout block = a;
  block.map.swizzle = {};
  outcome<layout> const rest = complement_with(block, reached->largest + 1, steps);
  if (!rest) return rest;
  outcome<layout> repetitions = compose(*rest, b, steps);
  if (repetitions.why.which == rule::no_layout_steps)
    repetitions.why.which = rule::cute_repetitions_are_not_a_layout;
  if (!repetitions) return repetitions;
  outcome<layout> both = side_by_side(block, *repetitions, steps);
  if (!both || a.swizzle().none()) return both;
  if (both->swizzle().none()) {
    both.value.map.swizzle = a.swizzle();
    return checked(*both);
  }
  outcome<axe::layout> const whole = axe::try_compose(a.swizzle(), both->map, steps);
  if (whole) return with_modes(*whole, *both, a.swizzle(), steps);
  return whole.why.which == rule::undecided ? whole.why : refusal{rule::no_layout_behind_a_swizzle};
}

AXE_FN constexpr layout padded(layout const& l, int modes) {
  int const present = rank(l);
  if (present >= modes) return l;
  layout done;
  add_group(done, modes);
  for (int k = 0; k < present; ++k) add_part(done, mode(l, k));
  for (int k = present; k < modes; ++k) add_leaf(done, {1, 0});
  return swizzled_like(done, l.map);
}

/// Joins each mode k of the block (half 0) and the tiler (half 1). Half `first` is faster.
AXE_FN constexpr outcome<layout> product_of_modes(layout const& a, layout const& b, int first,
                                                  step_limit steps) {
  int const modes = rank(a) > rank(b) ? rank(a) : rank(b);
  outcome<layout> const both = product_of(padded(a, modes), padded(b, modes), steps);
  if (!both) return both;
  bool const whole[2] = {modes == 1 && a.profile[0] == leaf_node,
                         modes == 1 && b.profile[0] == leaf_node};
  layout done;
  add_group(done, modes);
  for (int k = 0; k < modes; ++k) {
    add_group(done, 2);
    for (int const half : {first, 1 - first}) {
      layout const part = mode(*both, half);
      add_part(done, whole[half] ? part : mode(part, k));
    }
  }
  return checked(swizzled_like(done, both->map));
}
AXE_FN constexpr outcome<layout> product_by_mode(layout const& a, layout const& b, int first,
                                                 step_limit steps) {
  for (layout const* l : {&a, &b})
    if (refusal const bad = check(*l)) return bad;
  return product_of_modes(a, b, first, steps);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_logical_product(layout const& a, tiler const& b,
                                                     step_limit steps = {}) {
  return detail::each_mode(a, b, true, [&](layout const& mode, layout const& by) {
    return detail::product_of(mode, by, steps);
  });
}
AXE_FN constexpr layout logical_product(layout const& a, tiler const& b) {
  return detail::stop_on(try_logical_product(a, b), "logical_product");
}
AXE_FN constexpr outcome<layout> try_zipped_product(layout const& a, tiler const& b,
                                                    step_limit steps = {}) {
  return detail::zipped(try_logical_product(a, b, steps), b);
}
AXE_FN constexpr layout zipped_product(layout const& a, tiler const& b) {
  return detail::stop_on(try_zipped_product(a, b), "zipped_product");
}
AXE_FN constexpr outcome<layout> try_tiled_product(layout const& a, tiler const& b,
                                                   step_limit steps = {}) {
  return detail::zipped(try_logical_product(a, b, steps), b, 1);
}
AXE_FN constexpr layout tiled_product(layout const& a, tiler const& b) {
  return detail::stop_on(try_tiled_product(a, b), "tiled_product");
}
AXE_FN constexpr outcome<layout> try_flat_product(layout const& a, tiler const& b,
                                                  step_limit steps = {}) {
  return detail::zipped(try_logical_product(a, b, steps), b, 2);
}
AXE_FN constexpr layout flat_product(layout const& a, tiler const& b) {
  return detail::stop_on(try_flat_product(a, b), "flat_product");
}
AXE_FN constexpr outcome<layout> try_blocked_product(layout const& a, layout const& b,
                                                     step_limit steps = {}) {
  return detail::product_by_mode(a, b, 0, steps);
}
AXE_FN constexpr layout blocked_product(layout const& a, layout const& b) {
  return detail::stop_on(try_blocked_product(a, b), "blocked_product");
}
AXE_FN constexpr outcome<layout> try_raked_product(layout const& a, layout const& b,
                                                   step_limit steps = {}) {
  return detail::product_by_mode(a, b, 1, steps);
}
AXE_FN constexpr layout raked_product(layout const& a, layout const& b) {
  return detail::stop_on(try_raked_product(a, b), "raked_product");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
