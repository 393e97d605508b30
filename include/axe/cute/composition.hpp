// SPDX-License-Identifier: MIT
// composition(A, B): the layout R with R(c) = A(B(c)) and the modes of B.
// composition(A, <t0, t1, …>): composes mode k of A with tiler tk.
//
//     composition((6,2):(8,2), (4,3):(3,1))            ((2,2),3):((24,2),8)
//
// CuTe may return another map (docs/peers.md).
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/algebra/group.hpp>
#include <axe/cute/engine/as_plain.hpp>
#include <axe/cute/tiler.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// `map` grouped by `extents`, if necessary with another swizzle.
AXE_FN constexpr outcome<axe::layout> grouped_by(axe::layout const& map, shape const& extents,
                                                 axe::swizzle of_operands, step_limit steps) {
  outcome<axe::layout> cut = try_group(map, extents);
  if (cut.why.which != rule::does_not_group || of_operands.none()) return cut;
  walked_places const places(map, walk_of(size_of(map), 1));
  bool const negative = places.on_m.least < 0;
  any_swizzle(of_operands, {}, bits_of(places.on_m), negative, [&](axe::swizzle g) {
    outcome<axe::layout> const behind = fit_behind(places, g, steps);
    outcome<axe::layout> const grouped = behind ? try_group(*behind, extents) : behind;
    if (grouped || grouped.why.which == rule::undecided) cut = grouped;
    return cut.why.which != rule::does_not_group;
  });
  return cut;
}

/// `map` with the modes of `like`. Rejects a leaf of `like` that ends inside a digit of `map` under
/// every swizzle.
AXE_FN constexpr outcome<layout> with_modes(axe::layout const& map, layout const& like,
                                            axe::swizzle of_operands, step_limit steps) {
  outcome<axe::layout> const cut = grouped_by(map, written_shape(like.map), of_operands, steps);
  if (cut.why.which == rule::does_not_group) {
    integer const* n = cut.why.numbers;
    return refusal{rule::cute_modes_interact, {like.leaf_count() - 1 - n[0], n[1], n[2], n[3]}};
  }
  if (cut.why) return cut.why;
  layout done;
  int block = cut->blocks.size();
  for (int node : like.profile) {
    if (node != leaf_node) {
      add_group(done, node);
      continue;
    }
    add_mode(done, iters_of_block(*cut, --block));
  }
  return checked(swizzled_like(done, *cut));
}

AXE_FN constexpr axe::swizzle swizzle_of(layout const& a, layout const& b) {
  layout const one = without_idle_swizzle(a);
  return one.swizzle().none() ? without_idle_swizzle(b).swizzle() : one.swizzle();
}

AXE_FN constexpr outcome<layout> compose(layout const& a, layout const& b, step_limit steps) {
  outcome<axe::layout> const both = axe::try_compose(a.map, b.map, steps);
  if (both) return with_modes(*both, b, swizzle_of(a, b), steps);
  refusal why = both.why;
  if (why.which == rule::inner_leaves_the_outer) why.which = rule::cute_inner_leaves;
  return why;
}

/// The layout with modes A, B and places A(i) + B(j).
AXE_FN constexpr outcome<layout> side_by_side(layout const& a, layout const& b, step_limit steps) {
  layout both;
  add_group(both, 2);
  add_part(both, a);
  add_part(both, b);
  if (a.swizzle().none() && b.swizzle().none()) {
    integer start = a.offset();
    if (!add(start, b.offset())) return refusal{rule::cute_overflows};
    both.set_offset(start);
    return checked(both);
  }
  // A direct sum keeps its second operand's swizzle if it can.
  shape const slow{size_of(b), 1};
  shape const fast{1, size_of(a)};
  outcome<axe::layout> const sum = a.swizzle().none()
                                       ? try_direct_sum(a.map, fast, b.map, slow, steps)
                                       : try_direct_sum(b.map, slow, a.map, fast, steps);
  if (sum) return with_modes(*sum, both, swizzle_of(a, b), steps);
  if (sum.why.which == rule::undecided) return sum.why;
  return refusal{rule::no_layout_behind_a_swizzle};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_composition(layout const& a, tiler const& b,
                                                 step_limit steps = {}) {
  return detail::each_mode(a, b, false, [&](layout const& mode, layout const& by) {
    return detail::compose(mode, by, steps);
  });
}
AXE_FN constexpr layout composition(layout const& a, tiler const& b) {
  return detail::stop_on(try_composition(a, b), "composition");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
