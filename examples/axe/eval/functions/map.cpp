// The functions for places and measures of a layout: size, span, places, elements, owned_by,
// coverage, …
#include "eval/function.hpp"

namespace calculator {

using axe::axis;
using axe::coordinate;
using axe::layout;
using axe::place;
using axe::shape;
using axe::step_limit;

std::vector<function> map_functions() {
  return {
      {"size", "L", [](layout const& l) { return axe::try_size(l); }, "the number of elements"},
      {"span", "L, axis", [](layout const& l, axis a) { return axe::try_span(l, a); },
       "the number of positions from the least to the largest place on the axis"},
      {"min", "L, axis", [](layout const& l, axis a) { return (axe::try_min)(l, a); },
       "the least place on the axis"},
      {"max", "L, axis", [](layout const& l, axis a) { return (axe::try_max)(l, a); },
       "the largest place on the axis"},
      {"cosize", "L [, axis]",
       [](layout const& l, std::optional<axis> a) {
         return axe::try_cosize(l, a.value_or(axis::m));
       },
       "the size of a buffer that starts at 0 on the axis (default m)"},
      {"on_axis", "L, axis", [](layout const& l, axis a) { return axe::try_on_axis(l, a); },
       "the same elements with only their position on the axis"},
      {"places", "L, S, c",
       [](layout const& l, shape const& s, coordinate const& c) {
         return axe::try_places(l, s, c);
       },
       "the places of the element at coordinate c of shape S"},
      {"elements", "L, S [, place]",
       [](layout const& l, shape const& s, std::optional<place> p, step_limit steps) {
         return axe::try_elements(l, s, p.value_or(place{}), steps);
       },
       "the coordinates of the elements at a place; axes that it does not name are ignored"},
      {"owned_by", "L, S, place",
       [](layout const& l, shape const& s, place const& p, step_limit steps) {
         return axe::try_owned_by(l, s, p, steps);
       },
       "the elements at a place, as pieces: coordinates, and a layout on the other axes"},
      {"not_owned_by", "L, S, place",
       [](layout const& l, shape const& s, place const& p, step_limit steps) {
         return axe::try_not_owned_by(l, s, p, steps);
       },
       "the elements not at a place, as pieces with all axes"},
      {"owner_has", "L, S, place, c",
       [](layout const& l, shape const& s, place const& p, coordinate const& c, step_limit steps) {
         return axe::try_owner_has(l, s, p, c, steps);
       },
       "true if the element at coordinate c is at the place"},
      {"coverage", "L, axis: n, …",
       [](layout const& l, axe::box const& b, step_limit steps) {
         return axe::try_coverage(l, b, steps);
       },
       "how the layout fills the box [0,n) of each axis: contested, holes, copies (replicas) or "
       "once"},
  };
}

}  // namespace calculator
