// logical_divide(A, B): A cut into tiles that B picks: A o (B, B*), B* the complement of B in A's
// elements. Mode 0 is inside a tile, mode 1 goes over the tiles.
//
//     logical_divide((4,2,3):(2,1,8), 4:2)                          ((2,2),(2,3)):((4,1),(2,8))
//     logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)     ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))
//     zipped_divide(the same)                                       ((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))       tile, rest
//     tiled_divide(the same)                                        ((3,(2,4)),3,(2,2)):…                                   tile, the rests one by one
//     flat_divide(the same)                                         (3,(2,4),3,(2,2)):…                                     all one by one
//     logical_divide(9:1, 6)                                        refused: 6 does not divide 9 (CuTe answers with 12 elements)
//
// By mode: tiler k cuts mode k, modes behind the last tiler stay, in zipped and the others behind
// the rests. A's swizzle and offset stay outside. A swizzled tile permutes the elements inside it.
// Refused: what complement and composition refuse; a swizzle that does not come out; a tile and its
// repetitions that leave A.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr outcome<layout> divided(layout const& a, layout const& tile, step_budget steps) {
  layout const b = without_idle_swizzle(tile);
  outcome<layout> const rest = try_complement(b, size_of(a), steps);
  if (!rest) return rest;
  outcome<layout> const both = side_by_side({b, *rest}, steps);
  if (!both) return both;
  outcome<layout> const result = compose(a, *both, steps);
  if (result || result.why.which != rule::cute_inner_leaves) return result;
  integer const size = size_of(a), least = result.why.numbers[0], largest = result.why.numbers[1];
  if (size % size_of(b) != 0 && largest >= size)
    return refusal{rule::cute_tile_does_not_divide, {size_of(b), size, largest}};
  return refusal{rule::cute_tile_leaves, {size_of(b), least, largest, size - 1}};
}

/// The subtrees of a divided or multiplied layout, tiles first, then rests: two modes at each tiler
/// that is a layout.
AXE_FN constexpr void add_half(layout& to, layout const& from, cursor at, tiler const& by,
                               int half) {
  if (!by.by_mode()) return add_part(to, from, entry(from, at, half));
  int const modes = entries_of(from.profile[at.node]);
  int const wanted = by.modes();
  add_group(to, half == 0 ? wanted : modes);
  for (int k = 0; k < wanted; ++k) add_half(to, from, entry(from, at, k), by[k], half);
  for (int k = wanted; k < modes && half == 1; ++k) add_part(to, from, entry(from, at, k));
}

AXE_FN constexpr outcome<layout> unzip(outcome<layout> const& result, tiler const& by) {
  if (!result || !by.by_mode()) return result;
  layout done;
  add_group(done, 2);
  add_half(done, result.value, {}, by, 0);
  add_half(done, result.value, {}, by, 1);
  if (refusal const bad = check(done)) return bad;
  return wrapped_as(done, result.value);
}

/// (tile, rest) with the rest, or both, one by one. A half of one mode stays the group that it is,
/// as in CuTe.
AXE_FN constexpr outcome<layout> unpack_modes(outcome<layout> const& zipped, bool tile_too) {
  if (!zipped) return zipped;
  layout const& l = zipped.value;
  layout done;
  int total = 0;
  int modes[2]{};
  for (int half = 0; half < 2; ++half) {
    int const node = l.profile[entry(l, {}, half).node];
    modes[half] = node == leaf_node || node == 1 || (half == 0 && !tile_too) ? 1 : node;
    total += modes[half];
  }
  add_group(done, total);
  for (int half = 0; half < 2; ++half) {
    cursor const at = entry(l, {}, half);
    if (modes[half] == 1) add_part(done, l, at);
    for (int k = 0; modes[half] > 1 && k < modes[half]; ++k) add_part(done, l, entry(l, at, k));
  }
  if (refusal const bad = check(done)) return bad;
  return wrapped_as(done, l);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_logical_divide(layout const& a, tiler const& b,
                                                    step_budget steps = {}) {
  if (refusal const bad = check(a)) return bad;
  if (refusal const bad = detail::check_tiler(b)) return bad;
  return detail::each_mode(a, b, true, [&](layout const& mode, layout const& by) {
    return detail::divided(mode, by, steps);
  });
}
AXE_FN constexpr outcome<layout> try_zipped_divide(layout const& a, tiler const& b,
                                                   step_budget steps = {}) {
  return detail::unzip(try_logical_divide(a, b, steps), b);
}
AXE_FN constexpr outcome<layout> try_tiled_divide(layout const& a, tiler const& b,
                                                  step_budget steps = {}) {
  return detail::unpack_modes(try_zipped_divide(a, b, steps), false);
}
AXE_FN constexpr outcome<layout> try_flat_divide(layout const& a, tiler const& b,
                                                 step_budget steps = {}) {
  return detail::unpack_modes(try_zipped_divide(a, b, steps), true);
}

AXE_FN constexpr layout logical_divide(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_logical_divide(a, b, steps);
  if (!result) detail::stop_on(result.why, "logical_divide", {});
  return *result;
}
AXE_FN constexpr layout zipped_divide(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_zipped_divide(a, b, steps);
  if (!result) detail::stop_on(result.why, "zipped_divide", {});
  return *result;
}
AXE_FN constexpr layout tiled_divide(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_tiled_divide(a, b, steps);
  if (!result) detail::stop_on(result.why, "tiled_divide", {});
  return *result;
}
AXE_FN constexpr layout flat_divide(layout const& a, tiler const& b, step_budget steps = {}) {
  outcome<layout> const result = try_flat_divide(a, b, steps);
  if (!result) detail::stop_on(result.why, "flat_divide", {});
  return *result;
}
AXE_CUTE_LIFT(logical_divide);
AXE_CUTE_LIFT(zipped_divide);
AXE_CUTE_LIFT(tiled_divide);
AXE_CUTE_LIFT(flat_divide);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
