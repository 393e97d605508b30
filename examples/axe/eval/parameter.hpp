// parameter<T>: the kinds of values that a parameter of type T accepts, and their conversion to T.
// A new type needs one specialisation here.
//
//     parameter<axe::shape>     accepts (8,16), and 16 as the shape of rank 1
//     parameter<axe::place>     accepts 8@lane + 6@warp, and 5 as 5@m
#pragma once

#include "eval/value.hpp"

#include <optional>

namespace calculator {

/// An argument of a call and its position in the line.
struct argument {
  value held;
  int position = 0;
};

template <class T> struct parameter;

template <class T, kind K> struct taken_as_it_is {
  static char const* expected() { return describe(K); }
  static bool accepts(kind k) { return k == K; }
  static T take(value const& v) { return std::get<static_cast<std::size_t>(K)>(v); }
};

template <> struct parameter<axe::layout> : taken_as_it_is<axe::layout, kind::layout> {};
template <> struct parameter<axe::integer> : taken_as_it_is<axe::integer, kind::integer> {};
template <> struct parameter<axe::axis> : taken_as_it_is<axe::axis, kind::axis> {};
template <> struct parameter<axe::swizzle> : taken_as_it_is<axe::swizzle, kind::swizzle> {};
template <> struct parameter<axe::region> : taken_as_it_is<axe::region, kind::region> {};
template <>
struct parameter<std::vector<axe::shape>> : taken_as_it_is<std::vector<axe::shape>, kind::shapes> {
};
template <>
struct parameter<axe::axis_composition> : taken_as_it_is<axe::axis_composition, kind::composition> {
};

template <> struct parameter<axe::tree> {
  static char const* expected() { return "a tuple of integers, as (1,0)"; }
  static bool accepts(kind k) { return k == kind::tree || k == kind::integer; }
  static axe::tree take(value const& v) {
    axe::integer const* alone = std::get_if<axe::integer>(&v);
    return alone != nullptr ? axe::tree(*alone) : std::get<axe::tree>(v);
  }
};

template <> struct parameter<axe::shape> : parameter<axe::tree> {
  static char const* expected() { return "a shape, as (8,16)"; }
  static axe::shape take(value const& v) { return axe::shape(parameter<axe::tree>::take(v)); }
};

template <> struct parameter<axe::coordinate> : parameter<axe::tree> {
  static char const* expected() { return "a coordinate, as (2,9)"; }
  static axe::coordinate take(value const& v) {
    return axe::coordinate(parameter<axe::tree>::take(v));
  }
};

template <> struct parameter<axe::place> {
  static char const* expected() { return "a place, as 8@lane + 6@warp"; }
  static bool accepts(kind k) { return k == kind::place || k == kind::integer; }
  static axe::place take(value const& v) {
    axe::integer const* alone = std::get_if<axe::integer>(&v);
    return alone != nullptr ? axe::place(axe::term(*alone)) : std::get<axe::place>(v);
  }
};

template <> struct parameter<axe::axis_list> {
  static char const* expected() { return "a tuple of axes, as (lane, warp)"; }
  static bool accepts(kind k) { return k == kind::axes || k == kind::axis; }
  static axe::axis_list take(value const& v) {
    axe::axis const* alone = std::get_if<axe::axis>(&v);
    if (alone == nullptr) return std::get<axe::axis_list>(v);
    axe::axis_list one;
    one.push(*alone);
    return one;
  }
};

template <> struct parameter<axe::linear_map> {
  static char const* expected() { return "a linear map, as {lane: 1 -> (1)} to (m: 2)"; }
  static bool accepts(kind k) { return k == kind::linear; }
  static axe::linear_map take(value const& v) { return *std::get<shared<axe::linear_map>>(v); }
};

template <> struct parameter<accessed> {
  static char const* expected() { return describe(kind::access); }
  static bool accepts(kind k) { return k == kind::access; }
  static accessed take(value const& v) { return *std::get<shared<accessed>>(v); }
};

/// A box takes all further arguments, as in `lane: 32, warp: 4`.
template <> struct parameter<axe::box> {
  static char const* expected() { return "an axis and its extent, as lane: 32"; }
  static bool accepts(kind k) { return k == kind::box_axis; }
};

/// A layout in CuTe's notation, `(4,2):(1,4)`, or the result of a cute function.
template <> struct parameter<axe::cute::layout> {
  static char const* expected() { return "a CuTe layout, as (4,2):(1,4)"; }
  static bool accepts(kind k) { return k == kind::cute_layout || k == kind::pair; }
  static axe::cute::layout take(value const& v) {
    if (auto const* known = std::get_if<shared<axe::cute::layout>>(&v)) return **known;
    axe::cute::layout l;
    pair const& p = std::get<pair>(v);
    axe::cute::detail::pair_trees(l, p.left, p.right);
    return l;
  }
};

/// A tiler: a layout, a shape or an integer, or a tuple with one of these for each mode.
template <> struct parameter<axe::cute::tiler> {
  static char const* expected() {
    return "a CuTe layout or a tuple of them, as 8:1, (16,8) or <8:1, 4:2>";
  }
  static bool accepts(kind k) {
    return parameter<axe::cute::layout>::accepts(k) || k == kind::integer || k == kind::tree ||
           k == kind::region || k == kind::tiler;
  }
  static axe::cute::tiler take(value const& v) {
    if (auto const* known = std::get_if<shared<axe::cute::tiler>>(&v)) return **known;
    if (auto const* region = std::get_if<axe::region>(&v)) {
      axe::cute::tiler all;
      axe::cute::detail::add_group(all.as_layout, -2 - region->ranges.size());
      for (axe::range const& r : region->ranges)
        axe::cute::detail::add_leaf(all.as_layout, {r.begin, r.end});
      if (region->overflowed) all.as_layout.broken_rule = axe::rule::cute_too_large;
      return all;
    }
    if (parameter<axe::tree>::accepts(kind_of(v)))
      return axe::cute::int_tuple(parameter<axe::tree>::take(v));
    return parameter<axe::cute::layout>::take(v);
  }
};

/// An optional parameter accepts what its type accepts. Optional parameters come last.
template <class T> struct parameter<std::optional<T>> : parameter<T> {};

}  // namespace calculator
