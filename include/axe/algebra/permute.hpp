// permute(L, S, order): dimensions in another order, P(c[order[0]], c[order[1]], …) = L(c).
//
//     permute(S[(4,5):(5,1)], (4,5), (1,0))           S[(5,4):(1,5)]
//     permute(S[(2,3):(-2,1)], (3,2), (1,0))          S[(3,2):(-1,2)]       (3,2) does not group: the table decides
//
// Dimensions that stay neighbours are merged before D is cut; where a boundary falls inside a digit the table method asks the permuted function
// itself. R, O and the swizzle stay. The result is canonical. Refused: an order that is no permutation, a result that is no layout.
// Definition: docs/algebra.md, D13.
// Source: the definition alone; cut by blocks as in the Axe paper, section 3.3, and by the table where those do not exist.
#pragma once

#include <axe/algebra/behind_swizzle.hpp>
#include <axe/layout/carrier.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// D walked through a box in another order: cut where the box's neighbours allow, else by the table.
AXE_PLANNER constexpr refusal reorder(box_walk const& walk, iter_list& into, step_budget& steps) {
  // Every step of the walk that is a run of digits by itself contributes its block; pitch 0 repeats.
  digit_boundaries const boundaries(walk.f.digits);
  digit_builder builder;
  bool cut = true;
  for (box_walk::dimension const& d : walk.box) {
    if (d.pitch == 0)
      builder.push({d.extent, 0, axis::null});
    else
      cut = cut && boundaries.emit_between(d.pitch, d.pitch * d.extent, builder);
  }
  if (cut) return builder.finish(into);
  outcome<iter_list> const found = recognise(walk, walk.size(), steps);
  if (!found) return found.why;
  into = *found;
  return {};
}

/// Neighbours of the walk that are neighbours in memory order, as one dimension.
AXE_PLANNER constexpr void add_dimension(box_walk& walk, integer extent, integer pitch) {
  if (extent == 1) return;
  if (!walk.box.empty() && walk.box.back().pitch == extent * pitch && pitch != 0) {
    walk.box.back() = {walk.box.back().extent * extent, pitch};
    return;
  }
  walk.box.push({extent, pitch});
}

/// How many elements one step of each dimension moves.
AXE_PLANNER constexpr extent_list pitches_of(extent_list const& dimensions) {
  extent_list pitches;
  pitches.count = dimensions.count;
  integer pitch = 1;
  for (int d = dimensions.count - 1; d >= 0; --d) {
    pitches.at[d] = pitch;
    pitch *= dimensions.at[d];
  }
  return pitches;
}

AXE_PLANNER constexpr refusal check_order(extent_list const& dimensions, tree const& order) {
  if (order.is_integer() || order.rank() != dimensions.size()) return {rule::order_is_no_permutation};
  bool seen[capacity::shards]{};
  for (int i = 0; i < dimensions.count; ++i) {
    if (order.nodes.is_group(i + 1)) return {rule::order_is_no_permutation};
    integer const d = order.nodes.value(i + 1);
    if (d < 0 || d >= dimensions.size() || seen[d]) return {rule::order_is_no_permutation};
    seen[d] = true;
  }
  return {};
}

/// L checked, its shape admitted, as top dimensions.
AXE_PLANNER constexpr refusal dimensions_checked(layout const& l, shape const& s, extent_list& dimensions) {
  if (refusal const bad = check(l)) return bad;
  return admit_dimensions(l, s, dimensions);
}

}  // namespace detail

AXE_PLANNER constexpr outcome<layout> try_permute(layout const& l, shape const& s, coordinate const& order,
                                                  step_budget steps = {}) {
  detail::extent_list dimensions;
  if (refusal const bad = detail::dimensions_checked(l, s, dimensions)) return bad;
  if (refusal const bad = detail::check_order(dimensions, order)) return bad;
  detail::extent_list const pitches = detail::pitches_of(dimensions);
  detail::box_walk walk{detail::digit_function(detail::canonical_shards(l.shards)), 0, {}};
  for (int i = 0; i < dimensions.count; ++i) {
    int const d = static_cast<int>(order.nodes.value(i + 1));
    detail::add_dimension(walk, dimensions[d], pitches[d]);
  }
  layout permuted = l;
  permuted.blocks.clear();
  if (refusal const bad = detail::reorder(walk, permuted.shards, steps))
    return detail::through_swizzle(l, walk, bad, steps);
  return detail::finished(permuted);
}

AXE_PLANNER constexpr layout permute(layout const& l, shape const& s, coordinate const& order,
                                     step_budget steps = {}) {
  outcome<layout> const result = try_permute(l, s, order, steps);
  if (!result) detail::stop_on(result.why, "permute", {&l, nullptr, &s, &order});
  return result.value;
}
AXE_LIFT(permute);

/// broadcast(L, S, position, e): a new dimension of extent e before dimension `position` that changes nothing.
///
///     broadcast(S[(4,5):(5,1)], (4,5), 1, 3)          S[(4,3,5):(5,0,1)] on shape (4,3,5)
AXE_PLANNER constexpr outcome<layout> try_broadcast(layout const& l, shape const& s, integer position,
                                                    integer extent, step_budget steps = {}) {
  detail::extent_list dimensions;
  if (refusal const bad = detail::dimensions_checked(l, s, dimensions)) return bad;
  if (position < 0 || position > dimensions.size())
    return refusal{rule::position_outside, {position, dimensions.size()}};
  if (extent < 1) return refusal{rule::extent_argument_below_one, {extent}};
  integer size = detail::product_of_extents(l.shards);
  if (!detail::multiply(size, extent))
    return refusal{rule::result_size_overflows, {detail::product_of_extents(l.shards), extent}};
  detail::extent_list const pitches = detail::pitches_of(dimensions);
  detail::box_walk walk{detail::digit_function(detail::canonical_shards(l.shards)), 0, {}};
  for (int d = 0; d <= dimensions.size(); ++d) {
    if (d == position && extent > 1) walk.box.push({extent, 0});
    if (d < dimensions.size()) detail::add_dimension(walk, dimensions[d], pitches[d]);
  }
  layout wider = l;
  wider.blocks.clear();
  if (refusal const bad = detail::reorder(walk, wider.shards, steps))
    return detail::through_swizzle(l, walk, bad, steps);
  return detail::finished(wider);
}

AXE_PLANNER constexpr layout broadcast(layout const& l, shape const& s, integer position, integer extent,
                                       step_budget steps = {}) {
  outcome<layout> const result = try_broadcast(l, s, position, extent, steps);
  if (!result) detail::stop_on(result.why, "broadcast", {&l, nullptr, &s});
  return result.value;
}
AXE_LIFT(broadcast);

}  // namespace axe::inline AXE_NAMESPACE
