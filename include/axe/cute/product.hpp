// logical_product(A, B): A repeated as B says: (A, A* o B), A* the complement of A in size(A) *
// cosize(B) places. Mode 0 is the block, mode 1 goes over the blocks.
//
//     logical_product((2,2):(4,1), 6:1)                     ((2,2),(2,3)):((4,1),(2,8))
//     logical_product((2,5):(5,1), <3:5, 4:6>)              ((2,3),(5,4)):((5,10),(1,30))
//     blocked_product((2,5):(5,1), (3,4):(1,3))             the same: the tiler as a layout of blocks       (block, tiler) mode by mode
//     raked_product((2,5):(5,1), (3,4):(1,3))               ((3,2),(4,5)):((10,5),(30,1))                   (tiler, block): interleaved
//     zipped_product, tiled_product, flat_product           as the divides do: (A, rest), (A, rests…), all one by one
//
// By mode: tiler k repeats mode k in its own places; modes behind the last tiler stay. A's swizzle
// and offset stay outside: they act on the address of the whole, not of each block. A swizzled
// tiler swizzles the blocks' order, which must be a swizzle of the whole (cute/modes_behind.hpp).
// Refused: what complement and composition refuse, a swizzle that does not come out.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/divide.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr outcome<layout> multiplied(layout const& a, layout const& tiler,
                                            step_budget steps) {
  layout const b = without_idle_swizzle(tiler);
  outcome<interval> const reached = reach(b);
  if (!reached) return reached.why;
  if (reached->least < 0) return refusal{rule::cute_negative_place, {reached->least}};
  integer places = size_of(a);
  if (!axe::detail::multiply(places, reached->largest + 1)) return refusal{rule::cute_overflows};
  layout block;
  add_all(block, a);
  outcome<layout> const rest = try_complement(block, places, steps);
  if (!rest) return rest;
  outcome<layout> const over = compose(*rest, b, steps);
  if (!over) return over;
  return side_by_side({block, *over, a.swizzle, a.offset}, steps);
}

/// Modes 1:0 behind the others, up to `modes`.
AXE_FN constexpr layout padded(layout const& l, int modes) {
  int const own = rank(l);
  if (own >= modes) return l;
  layout done;
  add_group(done, modes);
  for (int k = 0; k < own; ++k) add_part(done, l, entry(l, {}, k));
  for (int k = own; k < modes; ++k) add_leaf(done, 1, 0);
  return wrapped_as(done, l);
}

/// The product with the modes of block and tiler side by side; `first` is the half that counts
/// fastest.
AXE_FN constexpr outcome<layout> product_by_mode(layout const& a, layout const& b, int first,
                                                 step_budget steps) {
  for (layout const* l : {&a, &b})
    if (refusal const bad = check(*l)) return bad;
  int const modes = rank(a) > rank(b) ? rank(a) : rank(b);
  outcome<layout> const both = multiplied(padded(a, modes), padded(b, modes), steps);
  if (!both) return both;
  // Of a block or tiler that is a leaf the whole half is its one mode.
  bool const whole[2] = {modes == 1 && a.profile[0] == leaf_node,
                         modes == 1 && b.profile[0] == leaf_node};
  layout done;
  add_group(done, modes);
  for (int k = 0; k < modes; ++k) {
    add_group(done, 2);
    for (int const half : {first, 1 - first}) {
      cursor const at = entry(*both, {}, half);
      add_part(done, *both, whole[half] ? at : entry(*both, at, k));
    }
  }
  if (refusal const bad = check(done)) return bad;
  return wrapped_as(done, *both);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_logical_product(layout const& a, tiler const& b,
                                                     step_budget steps = {}) {
  if (refusal const bad = check(a)) return bad;
  if (refusal const bad = detail::check_tiler(b)) return bad;
  return detail::each_mode(a, b, true, [&](layout const& mode, layout const& by) {
    return detail::multiplied(mode, by, steps);
  });
}
AXE_FN constexpr outcome<layout> try_zipped_product(layout const& a, tiler const& b,
                                                    step_budget steps = {}) {
  return detail::unzip(try_logical_product(a, b, steps), b);
}
AXE_FN constexpr outcome<layout> try_tiled_product(layout const& a, tiler const& b,
                                                   step_budget steps = {}) {
  return detail::unpack_modes(try_zipped_product(a, b, steps), false);
}
AXE_FN constexpr outcome<layout> try_flat_product(layout const& a, tiler const& b,
                                                  step_budget steps = {}) {
  return detail::unpack_modes(try_zipped_product(a, b, steps), true);
}
AXE_FN constexpr outcome<layout> try_blocked_product(layout const& a, layout const& b,
                                                     step_budget steps = {}) {
  return detail::product_by_mode(a, b, 0, steps);
}
AXE_FN constexpr outcome<layout> try_raked_product(layout const& a, layout const& b,
                                                   step_budget steps = {}) {
  return detail::product_by_mode(a, b, 1, steps);
}

AXE_FN constexpr layout logical_product(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_logical_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "logical_product", {});
  return *result;
}
AXE_FN constexpr layout zipped_product(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_zipped_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "zipped_product", {});
  return *result;
}
AXE_FN constexpr layout tiled_product(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_tiled_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "tiled_product", {});
  return *result;
}
AXE_FN constexpr layout flat_product(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_flat_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "flat_product", {});
  return *result;
}
AXE_FN constexpr layout blocked_product(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<layout> const result = try_blocked_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "blocked_product", {});
  return *result;
}
AXE_FN constexpr layout raked_product(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<layout> const result = try_raked_product(a, b, steps);
  if (!result) detail::stop_on(result.why, "raked_product", {});
  return *result;
}
AXE_CUTE_LIFT(logical_product);
AXE_CUTE_LIFT(zipped_product);
AXE_CUTE_LIFT(tiled_product);
AXE_CUTE_LIFT(flat_product);
AXE_CUTE_LIFT(blocked_product);
AXE_CUTE_LIFT(raked_product);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
