// SPDX-License-Identifier: MIT
// elements(L, S, place): the elements that lie at `place` on the axes that it names, in order.
//
//     elements(S[(2,4):(0,1@lane)], {2,4}, 3*lane)        (0,3) and (1,3)
//
// Definition: docs/algebra.md, D8.
#pragma once

#include <axe/map/digit_search.hpp>
#include <axe/map/places.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct element {
  integer index = 0;  // row-major
  coordinate at;      // nested like the shape
  placement where;
};

/// A range whose iterators search for each item.
template <class Source, class Iterator> class searched_range {
 public:
  using iterator = Iterator;

  AXE_FN constexpr iterator begin() const { return iterator(&source); }
  AXE_FN constexpr detail::range_end end() const { return {}; }

  AXE_FN constexpr bool empty() const { return begin() == end(); }
  AXE_FN constexpr auto front() const { return *begin(); }
  AXE_FN constexpr integer size() const {
    integer n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

  constexpr searched_range() = default;
  AXE_FN constexpr explicit searched_range(Source const& from) : source(from) {}

 private:
  Source source;
};

/// A digit search's solutions, converted by Source::item.
template <class Source> class solution_iterator {
 public:
  AXE_FN constexpr auto operator*() const { return of->item(found.at); }
  AXE_FN constexpr solution_iterator& operator++() {
    done = !(found.step() && found.find());
    return *this;
  }
  AXE_FN friend constexpr bool operator==(solution_iterator const& i, detail::range_end) {
    return i.done;
  }

  AXE_FN constexpr explicit solution_iterator(Source const* from)
      : of(from), found(from->search), done(!from->reachable || !found.find()) {}

 private:
  Source const* of;
  detail::digit_search found;
  bool done;
};

template <class Source> using solution_range = searched_range<Source, solution_iterator<Source>>;

namespace detail {

struct element_source {
  layout of;
  shape seen_as;
  digit_search search;
  bool reachable = true;

  constexpr element_source() = default;
  AXE_LAZY_FN constexpr element_source(layout const& l, shape const& s, place const& p)
      : of(l), seen_as(s) {
    for (iter const& i : l.shards) search.add(i);
    reachable = set_targets(l, p, search);
  }
  AXE_LAZY_FN constexpr element item(digit_list const& at) const {
    integer x = 0;
    for (int k = 0; k < at.count; ++k) x = x * search.digits[k].extent + at[k];
    return {x, coordinate_of(seen_as, x), placement_of(of, x)};
  }
};

/// False if the search reaches the step limit before it finds an element.
AXE_FN constexpr bool search_ends_within(auto const& source, step_limit& steps) {
  digit_search search = source.search;
  return !source.reachable || search.find(steps) || !steps.spent();
}

}  // namespace detail

using element_range = solution_range<detail::element_source>;

/// `steps` limits the search for the first element only.
AXE_LAZY_FN constexpr outcome<element_range> try_elements(layout const& l, shape const& s,
                                                          place const& p = {},
                                                          step_limit steps = {}) {
  using namespace detail;
  if (refusal const bad = check(l)) return bad;
  extent_list extents;
  if (refusal const bad = admit_leaves(l, s, extents)) return bad;
  element_source const source(l, s, p);
  if (!search_ends_within(source, steps)) return steps.refusal();
  return element_range(source);
}

AXE_LAZY_FN constexpr element_range elements(layout const& l, shape const& s, place const& p = {}) {
  return detail::stop_on(try_elements(l, s, p), "elements", {&l, nullptr, &s});
}

/// True if elements(L, S, p) has the element at c.
AXE_LAZY_FN constexpr outcome<bool> try_owner_has(layout const& l, shape const& s, place const& p,
                                                  coordinate const& c, step_limit steps = {}) {
  outcome<placement> const where = try_places(l, s, c);
  if (where.why) return where.why;
  for (term const& t : p.terms) {
    integer const n = t.is_on(axis::m) ? l.swizzle.inverse(t.n) : t.n;
    bool const has_place = where.value.on(t.on).contains(n, steps);
    if (steps.spent()) return steps.refusal();
    if (!has_place) return false;
  }
  return true;
}

AXE_LAZY_FN constexpr bool owner_has(layout const& l, shape const& s, place const& p,
                                     coordinate const& c) {
  return detail::stop_on(try_owner_has(l, s, p, c), "owner_has", {&l, nullptr, &s, &c});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
