// What an expression of the calculator can be: the library's own values, and a few that only the
// notation has.
//
//     S[4:1]  layout      (8,16)  shape or coordinate     8@lane + 6@warp  place     (2:5, 0:8)  region     lane  axis
//     lane: 32  one axis of a box     (4,2):(1,4)  a pair     {(2,8),(4,4)}  shapes     gpuid = 4*mesh_y + mesh_x  composition
//     {lane: 1 -> (1), 2 -> (3)} to (m: 4)  linear map
//
// `kind` counts the alternatives of the variant. Values that answer a question (places, owned_by,
// …) are kept as the library's lazy ranges and enumerated where they are printed; the large ones
// are shared, so that values move cheaply.
#pragma once

#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/convert.hpp>
#include <axe/cute.hpp>
#include <axe/layout/region.hpp>
#include <axe/linear/linear_map.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace calculator {

enum class kind {
  absent,
  layout,
  integer,
  tree,
  word,
  axis,
  place,
  region,
  pair,
  box_axis,
  shapes,
  axes,
  swizzle,
  composition,
  declaration,
  places,
  elements,
  owned_by,
  coverage,
  difference,
  not_owned_by,
  linear,
  matrix,
  cute_layout,
  tiler,
  access,
  shared_traffic,
  global_traffic,
  conversion
};

/// Stands where a refused call would have put its result, so that the rest of the line is still
/// checked.
struct absent {
  kind instead_of = kind::absent;
};

/// `a:b` of trees: a range where both are integers, shape:stride in CuTe's notation.
struct pair {
  axe::tree left, right;
};

/// `axis mesh_x : device`.
struct declaration {
  axe::axis declared = axe::axis::null;
};

/// A linear map that prints as its matrix.
struct matrix {
  axe::linear_map of;
};

/// An access of a tile: the form of one for any shape, or a pattern of its own.
struct accessed {
  axe::access_form form;
  axe::access_pattern pattern;
  bool own = false;

  axe::outcome<axe::access_pattern> on(axe::shape const& s) const {
    if (own) return pattern;
    return axe::try_access(form, s);
  }
};

template <class T> using shared = std::shared_ptr<T const>;

/// Order: that of `kind`.
using value = std::variant<
    absent, axe::layout, axe::integer, axe::tree, bool, axe::axis, axe::place, axe::region, pair,
    axe::box_axis, std::vector<axe::shape>, axe::axis_list, axe::swizzle, axe::axis_composition,
    declaration, shared<axe::placement>, shared<axe::element_range>, shared<axe::ownership>,
    axe::coverage_answer, shared<axe::layout_difference>, shared<axe::other_ownership>,
    shared<axe::linear_map>, shared<matrix>, shared<axe::cute::layout>, shared<axe::cute::tiler>,
    shared<accessed>, axe::shared_traffic, axe::global_traffic, shared<axe::conversion_plan>>;

/// Of a value, or of the result that a refused call would have had.
inline kind kind_of(value const& v) {
  if (absent const* missing = std::get_if<absent>(&v)) return missing->instead_of;
  return static_cast<kind>(v.index());
}

/// "a layout": for sentences.
char const* describe(kind k);

/// "layout": for --json.
char const* name_of(kind k);

}  // namespace calculator
