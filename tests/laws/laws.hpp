// Laws that hold for every layout or every pair of layouts, such as canonical_is_idempotent(l).
//
//     breaks(law::round_trips, samples)     null, or the first sample that breaks the law
//
// A law returns true if it holds, at compile time and at run time. Laws compare the library with
// itself. Other suites compare it with the oracle (tests/oracle).
#pragma once

#include <axe/axe.hpp>

namespace axe_test {

using axe::layout;
using axe::place;

/// The first layout that breaks the law, or null.
template <class Law, class Layouts>
constexpr layout const* breaks(Law law, Layouts const& layouts) {
  for (layout const& l : layouts)
    if (!law(l)) return &l;
  return nullptr;
}

/// The first layout of the first pair that breaks the law, or null.
template <class Law, class Layouts>
constexpr layout const* breaks_as_pair(Law law, Layouts const& layouts) {
  for (layout const& a : layouts)
    for (layout const& b : layouts)
      if (!law(a, b)) return &a;
  return nullptr;
}

namespace law {

/// to_text and parse round-trip a layout and its canonical form.
constexpr bool round_trips(layout const& l) {
  return axe::parse(axe::to_text(l).c_str()) == l &&
         axe::parse(axe::to_text(axe::canonicalize(l)).c_str()) == axe::canonicalize(l);
}

constexpr bool canonical_is_idempotent(layout const& l) {
  return axe::canonicalize(axe::canonicalize(l)) == axe::canonicalize(l);
}

constexpr bool canonical_keeps_the_map(layout const& l) {
  layout const c = axe::canonicalize(l);
  if (axe::size(c) != axe::size(l) || !axe::equivalent(c, l)) return false;
  for (axe::integer x = 0; x < axe::size(l); ++x)
    if (!(axe::places(c, x) == axe::places(l, x))) return false;
  return true;
}

/// On each axis, every place is from min to max, both occur, and the span is max - min + 1.
constexpr bool measures_bound_the_places(layout const& l) {
  for (axe::axis a : axe::axes_of(l)) {
    axe::integer const least = (axe::min)(l, a);
    axe::integer const largest = (axe::max)(l, a);
    bool at_least = false;
    bool at_most = false;
    for (axe::integer x = 0; x < axe::size(l); ++x)
      for (place const& p : axe::places(l, x)) {
        if (p[a] < least || p[a] > largest) return false;
        at_least = at_least || p[a] == least;
        at_most = at_most || p[a] == largest;
      }
    if (!at_least || !at_most || axe::span(l, a) != largest - least + 1) return false;
  }
  return true;
}

/// `group` by a layout's size, or by its extents in `S[…]`, keeps the map and the canonical form,
/// and is idempotent.
constexpr bool grouping_keeps_the_map(layout const& l) {
  axe::shape each;
  for (axe::iter const& i : l.shards) each.append(axe::tree(i.extent));
  for (axe::shape const& s : {each, axe::shape(axe::size(l))}) {
    layout const g = axe::group(l, s);
    if (!axe::equivalent(g, l) || !(axe::group(g, s) == g)) return false;
    if (!(axe::canonicalize(g) == axe::canonicalize(l))) return false;
  }
  return true;
}

/// elements and places are inverse: x is among the elements at p if and only if p is among the
/// places of x.
constexpr bool elements_invert_places(layout const& l) {
  axe::shape const flat(axe::size(l));
  for (axe::integer x = 0; x < axe::size(l); ++x)
    for (place const& p : axe::places(l, x)) {
      bool found = false;
      for (axe::element const& e : axe::elements(l, flat, p)) {
        found = found || e.index == x;
        if (!axe::places(l, e.index).contains(p)) return false;
        if (!axe::owner_has(l, flat, p, axe::coordinate(e.index))) return false;
      }
      if (!found) return false;
    }
  return true;
}

/// An owner here is an index on one axis. The sizes of its pieces add up to the number of its
/// elements. owner_has is true for the first element of each piece.
constexpr bool owners_have_what_they_own(layout const& l) {
  axe::shape const flat(axe::size(l));
  for (axe::axis a : axe::axes_of(l))
    for (axe::integer n : {(axe::min)(l, a), (axe::max)(l, a), (axe::max)(l, a) + 1}) {
      axe::integer owned = 0;
      for (axe::piece const& part : axe::owned_by(l, flat, n * a)) {
        owned += axe::size(part.places);
        if (!axe::owner_has(l, flat, n * a, part.origin)) return false;
        if (axe::size(part.places) != axe::size(part.steps)) return false;
        for (axe::axis left : axe::axes_of(part.places))
          if (left == a) return false;
      }
      if (owned != axe::elements(l, flat, n * a).size()) return false;
    }
  return true;
}

/// A layout is injective if and only if each of its places has one element.
constexpr bool injective_means_one_element_each(layout const& l) {
  axe::shape const flat(axe::size(l));
  bool one = true;
  for (axe::integer x = 0; x < axe::size(l); ++x)
    for (place const& p : axe::places(l, x)) one = one && axe::elements(l, flat, p).size() == 1;
  return axe::is_injective(l) == one;
}

/// on_axis keeps the layout's size and the axis's min and max, and is idempotent.
constexpr bool one_axis_keeps_its_measures(layout const& l) {
  for (axe::axis a : axe::axes_of(l)) {
    layout const alone = axe::on_axis(l, a);
    if (axe::size(alone) != axe::size(l) || (axe::min)(alone, a) != (axe::min)(l, a) ||
        (axe::max)(alone, a) != (axe::max)(l, a))
      return false;
    if (!(axe::on_axis(alone, a) == alone)) return false;
  }
  return true;
}

/// Exactly one of ==, < and > holds, and equal layouts have equal hashes.
constexpr bool order_equality_and_hash_agree(layout const& a, layout const& b) {
  if ((a == b) + (a < b) + (b < a) != 1) return false;
  return !(a == b) || axe::hash(a) == axe::hash(b);
}

/// Equivalence is symmetric, agrees with `difference`, and does not depend on the form of a layout.
constexpr bool equivalent_agrees(layout const& a, layout const& b) {
  bool const same = axe::equivalent(a, b);
  axe::layout_difference const d = axe::difference(a, b);
  if (axe::equivalent(b, a) != same || static_cast<bool>(d) == same || (a == b && !same))
    return false;
  if (axe::equivalent(axe::canonicalize(a), b) != same) return false;
  return same || d.at == axe::difference(b, a).at;
}

}  // namespace law

}  // namespace axe_test
