// SPDX-License-Identifier: MIT
// group_many(L, {S1, S2, …}): groups L by the coarsest common refinement of the shapes.
//
//     group_many(S[24:1], {(4,6), (2,12)})        S[((2),(2),(6)):((12),(6),(1))]
//
// Definition: docs/algebra.md, D7.
#pragma once

#include <axe/algebra/group.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

using boundary_list = list<integer, 96>;

AXE_LAZY_FN constexpr bool note_boundaries(extent_list const& extents, boundary_list& positions) {
  integer product = 1;
  int at = 0;
  for (int d = extents.count - 1; d >= 0; --d) {
    product *= extents[d];
    while (at < positions.count && positions[at] < product) ++at;
    if (at < positions.count && positions[at] == product) continue;
    if (!positions.insert(at, product)) return false;
  }
  return true;
}

AXE_LAZY_FN constexpr outcome<shape> common_refinement(layout const& l, shape const* shapes,
                                                       int count) {
  boundary_list positions;
  positions.push(1);
  for (int i = 0; i < count; ++i) {
    extent_list extents;
    if (refusal const bad = admit_leaves(l, shapes[i], extents)) return bad;
    if (!note_boundaries(extents, positions))
      return refusal{rule::too_many_dimensions, {positions.count + 1}};
  }
  shape refined;
  for (int i = positions.count - 1; i > 0; --i) {
    if (positions[i] % positions[i - 1] != 0)
      return refusal{rule::no_common_refinement, {positions[i], positions[i - 1]}};
    refined.append(positions[i] / positions[i - 1]);
  }
  return refined;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_group_many(layout const& l, shape const* shapes,
                                                     int count) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  outcome<shape> const refined = detail::common_refinement(l, shapes, count);
  if (refined.why) return refined.why;
  outcome<layout> const grouped = detail::group_of(operand, *refined);
  if (!grouped.why.is(rule::does_not_group)) return grouped;
  // Names a boundary of the shapes, because the caller did not write the refined shape.
  integer const* const n = grouped.why.numbers;
  integer position = 1;
  for (int d = static_cast<int>(n[0]); d < refined->rank(); ++d)
    position *= refined->nodes.value(d + 1);
  return refusal{
      rule::boundary_inside_a_digit, {position, n[2], n[3], n[4]}, {grouped.why.axes[0]}};
}
AXE_LAZY_FN constexpr outcome<layout> try_group_many(layout const& l,
                                                     initializer_list<shape> shapes) {
  return try_group_many(l, shapes.begin(), static_cast<int>(shapes.size()));
}

template <class... Shapes>
AXE_FN constexpr outcome<layout> try_group_many(layout const& l, shape const& first,
                                                Shapes const&... rest) {
  return try_group_many(l, initializer_list<shape>{first, rest...});
}

AXE_LAZY_FN constexpr layout group_many(layout const& l, initializer_list<shape> shapes) {
  auto const result = try_group_many(l, shapes);
  if (result.why) {
    shape const* about = shapes.begin();
    detail::extent_list extents;
    while (about != shapes.end() && !detail::admit_leaves(l, *about, extents)) ++about;
    detail::stop_on(result.why, "group_many",
                    {&l, nullptr, about == shapes.end() ? nullptr : about});
  }
  return result.value;
}
AXE_CARRIER_FORM(group_many);

}  // namespace AXE_NAMESPACE
}  // namespace axe
