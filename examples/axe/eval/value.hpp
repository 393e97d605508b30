// The values of the calculator: the library's types, and a few types that only the notation needs.
//
// Answers that enumerate (places, owned_by, …) stay lazy ranges and are listed when they are
// printed. Large values are shared, so that they are cheap to move.
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
  word,  // true or false
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

/// Stands for the result of a rejected call while the rest of the line is checked.
struct absent {
  kind instead_of = kind::absent;
};

/// The pair `a:b`: a range of integers, or shape:stride in CuTe's notation.
struct pair {
  axe::tree left, right;
};

/// The statement `axis mesh_x : device`.
struct declaration {
  axe::axis declared = axe::axis::null;
};

/// A linear map that prints as its matrix.
struct matrix {
  axe::linear_map of;
};

/// An access of a tile: `pattern` if `own`, else `form`, which gives a pattern for each shape.
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

/// The alternatives are in the order of `kind`.
using value = std::variant<
    absent, axe::layout, axe::integer, axe::tree, bool, axe::axis, axe::place, axe::region, pair,
    axe::box_axis, std::vector<axe::shape>, axe::axis_list, axe::swizzle, axe::axis_composition,
    declaration, shared<axe::placement>, shared<axe::element_range>, shared<axe::ownership>,
    axe::coverage_answer, shared<axe::layout_difference>, shared<axe::unowned_pieces>,
    shared<axe::linear_map>, shared<matrix>, shared<axe::cute::layout>, shared<axe::cute::tiler>,
    shared<accessed>, axe::shared_traffic, axe::global_traffic, shared<axe::conversion_plan>>;

/// The kind of a value. For a rejected call, the kind that the result would have.
inline kind kind_of(value const& v) {
  if (absent const* missing = std::get_if<absent>(&v)) return missing->instead_of;
  return static_cast<kind>(v.index());
}

/// The kind in a sentence, such as "a layout".
char const* describe(kind k);

/// The kind in JSON, such as "layout".
char const* name_of(kind k);

/// The kind of an axis: "thread", "memory" or "device".
inline char const* name_of(axe::kind k) {
  return k == axe::kind::thread ? "thread" : k == axe::kind::memory ? "memory" : "device";
}

}  // namespace calculator
