// SPDX-License-Identifier: MIT
// logical_divide(A, B) = A o (B, B*): A cut into tiles. B selects the elements of the first tile.
// B*, the complement of B in size(A), selects the first element of each tile. The second mode of
// the result, A o B*, is the rest.
//
//     logical_divide((4,2,3):(2,1,8), 4:2)         ((2,2),(2,3)):((4,1),(2,8))
//
// Modes without a tiler stay, or follow the rests in zipped_divide, tiled_divide and flat_divide.
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr outcome<layout> divided(layout const& a, layout const& tile, step_limit steps) {
  layout const b = without_idle_swizzle(tile);
  outcome<layout> const rest = complement_of(as_plain(b), size_of(a), 1, steps);
  if (!rest) return rest;
  outcome<layout> const both = side_by_side(b, *rest, steps);
  if (!both) return both;
  outcome<layout> const result = compose(a, *both, steps);
  if (result.why.which != rule::cute_inner_leaves) return result;
  integer const size = size_of(a), least = result.why.numbers[0], largest = result.why.numbers[1];
  if (size % size_of(b) != 0 && largest >= size)
    return refusal{rule::cute_tile_does_not_divide, {size_of(b), size, largest}};
  return refusal{rule::cute_tile_leaves, {size_of(b), least, largest, size - 1}};
}

/// The modes of tiles (half 0) or of rests (half 1) in a result of logical_divide.
AXE_FN constexpr layout half_of(layout const& from, tiler const& by, int half) {
  if (!by.by_mode()) return mode(from, half);
  int const modes = rank(from);
  int const wanted = by.modes();
  layout done;
  add_group(done, half == 0 ? wanted : modes);
  for (int k = 0; k < wanted; ++k) add_part(done, half_of(mode(from, k), by[k], half));
  for (int k = wanted; k < modes && half == 1; ++k) add_part(done, mode(from, k));
  return done;
}

/// Replaces the last `unpacked_halves` by their modes. As in CuTe, a half with one mode stays a
/// group.
AXE_FN constexpr outcome<layout> zipped(outcome<layout> const& result, tiler const& by,
                                        int unpacked_halves = 0) {
  if (!result) return result;
  layout modes;
  int count = 0;
  for (int half = 0; half < 2; ++half) {
    layout const part = half_of(*result, by, half);
    int const parts = half + unpacked_halves < 2 ? 1 : rank(part);
    for (int k = 0; k < parts; ++k) add_part(modes, parts == 1 ? part : mode(part, k));
    count += parts;
  }
  if (!modes.profile.insert(0, count)) modes.broken_rule = rule::cute_too_large;
  return checked(swizzled_like(modes, result->map));
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_logical_divide(layout const& a, tiler const& b,
                                                    step_limit steps = {}) {
  return detail::each_mode(a, b, true, [&](layout const& mode, layout const& by) {
    return detail::divided(mode, by, steps);
  });
}
AXE_FN constexpr layout logical_divide(layout const& a, tiler const& b) {
  return detail::stop_on(try_logical_divide(a, b), "logical_divide");
}
AXE_FN constexpr outcome<layout> try_zipped_divide(layout const& a, tiler const& b,
                                                   step_limit steps = {}) {
  return detail::zipped(try_logical_divide(a, b, steps), b);
}
AXE_FN constexpr layout zipped_divide(layout const& a, tiler const& b) {
  return detail::stop_on(try_zipped_divide(a, b), "zipped_divide");
}
AXE_FN constexpr outcome<layout> try_tiled_divide(layout const& a, tiler const& b,
                                                  step_limit steps = {}) {
  return detail::zipped(try_logical_divide(a, b, steps), b, 1);
}
AXE_FN constexpr layout tiled_divide(layout const& a, tiler const& b) {
  return detail::stop_on(try_tiled_divide(a, b), "tiled_divide");
}
AXE_FN constexpr outcome<layout> try_flat_divide(layout const& a, tiler const& b,
                                                 step_limit steps = {}) {
  return detail::zipped(try_logical_divide(a, b, steps), b, 2);
}
AXE_FN constexpr layout flat_divide(layout const& a, tiler const& b) {
  return detail::stop_on(try_flat_divide(a, b), "flat_divide");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
