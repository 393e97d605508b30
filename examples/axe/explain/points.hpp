// Places as sets and coordinates as lists. `axe explain` computes elements with them, by the
// definition of an operation.
//
//     places_of(S[2:1] + R[2:4], 1)                 {1@m, 5@m}
//     coordinate_of(41, {8, 16})                    (2,9)
#pragma once

#include <axe/axe.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace explain {

using axe::integer;
using extents = std::vector<integer>;
using point = std::map<axe::axis, integer>;  // without components that are 0
using points = std::set<point>;
// Empty if there is no such element, if it has more than most_places, or if counting them takes too
// many steps.
using some_points = std::optional<points>;

inline constexpr integer most_places = 64;

/// The places of element x.
some_points places_of(axe::layout const& l, integer x);
point point_of(axe::place const& p);
axe::place place_of(point const& p);
integer component(point const& p, axe::axis on);
/// The point n@on.
point single(integer n, axe::axis on);

/// All sums of a point of a and a point of b.
points sum(points const& a, points const& b);
/// Applies `change` to every point.
template <class Change> some_points each(some_points const& all, Change const& change) {
  if (!all) return {};
  points out;
  for (point const& p : *all) out.insert(change(p));
  return out;
}

/// The extents of the dimensions of a shape. Empty if the shape is invalid.
extents extents_of(axe::shape const& s);
axe::shape shape_of(extents const& all);
integer product_of(extents const& all);
extents coordinate_of(integer x, extents const& all);
integer number_of(extents const& coordinate, extents const& all);
/// The numbers 0, about 0.7 n, and n - 1, without repetition.
extents three_of(integer n);

std::string words(points const& all);
std::string words(some_points const& all, char const* otherwise);
std::string words(extents const& numbers);

}  // namespace explain
