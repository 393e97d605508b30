// Compares the map with the oracle (tests/oracle), element by element: places, on_axis, measures
// and coordinates.
//
//     map_disagreement(l) == nullptr      otherwise a description, at compile time and at run time
#pragma once

#include "oracle/convert.hpp"
#include "oracle/questions.hpp"

#include <axe/map/measures.hpp>
#include <axe/map/on_axis.hpp>
#include <axe/map/places.hpp>

namespace axe_test {

/// True if `q` follows `p` in ascending order. The axis that the layout names first decides first.
constexpr bool ascends(axe::place const& p, axe::place const& q) {
  for (int t = 0; t < p.terms.size(); ++t)
    if (p.terms[t].n != q.terms[t].n) return p.terms[t].n < q.terms[t].n;
  return false;
}

/// A range-for must visit each place of the set once, in ascending order.
constexpr char const* places_disagreement(axe::placement const& found,
                                          oracle::place_set const& expected) {
  oracle::place_set visited;
  axe::place previous;
  for (axe::place const& p : found) {
    if (!visited.empty() && !ascends(previous, p))
      return "places are not enumerated in ascending order";
    previous = p;
    visited.push_back(to_oracle(p));
    if (visited.size() > expected.size()) return "there are more places than the oracle finds";
  }
  if (oracle::sorted(visited) != expected) return "the places differ from those of the oracle";
  if (found.size() != static_cast<axe::integer>(expected.size())) return "placement::size";
  return nullptr;
}

constexpr char const* table_disagreement(axe::layout const& l, oracle::map_table const& map) {
  for (std::size_t x = 0; x < map.size(); ++x) {
    axe::outcome<axe::placement> const found = axe::try_places(l, static_cast<axe::integer>(x));
    if (!found) return "places rejects an element";
    if (char const* wrong = places_disagreement(*found, map[x])) return wrong;
  }
  if (axe::try_places(l, -1) || axe::try_places(l, static_cast<axe::integer>(map.size())))
    return "an element out of range has places";
  return nullptr;
}

/// Returns null, or names the measure that is wrong.
constexpr char const* measures_disagreement(axe::layout const& l, oracle::map_table const& map) {
  if (axe::size(l) != static_cast<axe::integer>(map.size())) return "size";
  for (axe::axis a : known_axes) {
    oracle::range const reached = oracle::reached(map, number_of(a));
    if ((axe::min)(l, a) != reached.least) return "min";
    if ((axe::max)(l, a) != reached.largest) return "max";
    // The span is the number of positions from the least place to the largest.
    if (axe::span(l, a) != reached.largest - reached.least + 1) return "span";
    axe::outcome<axe::integer> const cosize = axe::try_cosize(l, a);
    if (static_cast<bool>(cosize) != (reached.least >= 0))
      return "cosize must be rejected if and only if a place is negative";
    if (cosize && *cosize != reached.largest + 1) return "cosize";
  }
  return nullptr;
}

constexpr char const* one_axis_disagreement(axe::layout const& l, oracle::map_table const& map) {
  for (axe::axis a : known_axes) {
    axe::layout const alone = axe::on_axis(l, a);
    for (axe::axis named : axe::axes_of(alone))
      if (named != a) return "on_axis names another axis";
    if (oracle::table(to_oracle(alone)) != oracle::on_axis(map, number_of(a)))
      return "on_axis differs from the map of the oracle on this axis";
  }
  return nullptr;
}

/// Compares every coordinate of a flat shape, and tests that coordinates out of bounds are
/// rejected.
constexpr char const* coordinates_disagreement(axe::layout const& l, oracle::map_table const& map,
                                               std::vector<oracle::number> const& extents) {
  axe::shape const s = to_shape(extents);
  std::vector<std::vector<oracle::number>> const all = oracle::coordinates(extents);
  for (std::size_t x = 0; x < all.size(); ++x) {
    axe::outcome<axe::placement> const found = axe::try_places(l, s, to_coordinate(all[x]));
    if (!found) return "a coordinate inside the shape is rejected";
    if (char const* wrong = places_disagreement(*found, map[x])) return wrong;
  }
  for (std::size_t d = 0; d < extents.size(); ++d)
    for (oracle::number outside : {oracle::number{-1}, extents[d]}) {
      axe::coordinate c;
      for (std::size_t k = 0; k < extents.size(); ++k) c.append(axe::tree(k == d ? outside : 0));
      if (axe::try_places(l, s, c)) return "a coordinate outside the shape has places";
    }
  return nullptr;
}

constexpr char const* map_disagreement(axe::layout const& l, oracle::map_table const& map) {
  if (char const* wrong = table_disagreement(l, map)) return wrong;
  if (char const* wrong = measures_disagreement(l, map)) return wrong;
  return one_axis_disagreement(l, map);
}
constexpr char const* map_disagreement(axe::layout const& l) {
  return map_disagreement(l, oracle::table(to_oracle(l)));
}

}  // namespace axe_test
