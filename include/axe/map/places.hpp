// places(L, S, c): the set of places of one element, { D(c) + r + O : r in Delta(R) }, duplicates
// once.
//
//     tile = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp
//     places(tile, {8,16}, {2,9}) == place_set{8*lane + 6*warp + 1*reg, 8*lane + 10*warp + 1*reg}
//
// A sum of one-axis replicas is the product of its projections, so the set is enumerated in order,
// one sum set an axis (axes in the order in which the layout names them, last one fastest): it has
// no capacity, however many copies there are. Under a swizzle the addresses on m go through it.
// Refused: a shape of another size, a coordinate outside it.
// Definition: docs/algebra.md, D3.
// Source: the Axe paper, section 2: L(x) = { D(x) + r + O }.
#pragma once

#include <axe/map/coordinates.hpp>
#include <axe/map/sum_set.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Places that somebody wrote down, each once. At most 32; more do not compile or, at run time, are
/// refused by `full`.
struct place_set {
  list<place, 32> places;
  bool full = false;

  constexpr place_set() = default;
  AXE_FN constexpr place_set(detail::stl::initializer_list<place> from) {
    for (place const& p : from)
      if (!holds(p) && !places.push(p)) full = true;
  }
  AXE_FN constexpr bool holds(place const& p) const {
    for (place const& mine : places)
      if (mine == p) return true;
    return false;
  }
  AXE_FN constexpr int size() const { return places.size(); }
  AXE_FN constexpr place const* begin() const { return places.begin(); }
  AXE_FN constexpr place const* end() const { return places.end(); }
};

/// The places of one element: a set, enumerated in ascending order by range-for. Where replica
/// strides overlap in many ways without nesting, the next place is searched for, without a bound:
/// `try_owner_has` and `coverage` have one.
struct placement {
  axis_list axes;
  list<integer, capacity::axes> base;       // D(x) + O on each axis, before the swizzle
  list<iter, capacity::replicas> replicas;  // R
  axe::swizzle swizzle{};                   // then on m, the only axis

 private:
  using sum_list = list<detail::sum_set, capacity::axes>;

 public:
  /// Moves p up to the least place >= p, axes compared in their order; false when there is none.
  AXE_FN constexpr bool at_least(place& p) const { return moved_up(p, sums()); }

  AXE_FN constexpr place first() const {
    place p;
    for (int i = 0; i < axes.size(); ++i)
      p.terms.push({replicas.empty() ? base[i] : on_axis(i).least, axes[i]});
    if (!swizzle.none() && !axes.empty()) {
      p.terms[0].n = detail::smallest;
      swizzled_from(p, on_axis(0));
    }
    return p;
  }

  /// Is p one of them? Components on other axes must be 0.
  AXE_FN constexpr bool contains(place const& p) const {
    for (term const& t : p.terms)
      if (t.n != 0 && !names(t.on)) return false;
    for (int i = 0; i < axes.size(); ++i) {
      step_budget unbounded(detail::largest);
      integer const at = p[axes[i]];
      if (!on_axis(i).contains(axes[i] == axis::m ? swizzle.inverse(at) : at, unbounded))
        return false;
    }
    return true;
  }

  /// The sums on one axis, {0} where the layout does not name it.
  AXE_FN constexpr detail::sum_set on(axis a) const {
    for (int i = 0; i < axes.size(); ++i)
      if (axes[i] == a) return on_axis(i);
    return {};
  }
  AXE_FN constexpr bool names(axis a) const {
    for (axis mine : axes)
      if (mine == a) return true;
    return false;
  }

  struct iterator {
    placement const* of = nullptr;
    sum_list sums;  // of every axis, once for the whole walk
    place at;
    bool done = true;

    AXE_FN constexpr place const& operator*() const { return at; }
    AXE_FN constexpr place const* operator->() const { return &at; }
    AXE_FN constexpr iterator& operator++() {
      if (at.terms.empty()) {
        done = true;
        return *this;
      }
      ++at.terms.back().n;
      done = !of->moved_up(at, sums);
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& a, iterator const& b) {
      return a.done == b.done && (a.done || a.at == b.at);
    }
  };
  AXE_FN constexpr iterator begin() const { return {this, sums(), first(), false}; }
  AXE_FN constexpr iterator end() const { return {this, {}, {}, true}; }

  /// How many distinct places there are. O(that many), or O(iters) where every axis is gap_ok.
  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (int i = 0; i < axes.size(); ++i) {
      detail::sum_set const s = on_axis(i);
      if (!s.gap_ok()) return counted();
      for (detail::run const& r : s.runs) product *= r.extent;
    }
    return product;
  }

  AXE_FN friend constexpr bool operator==(placement const& a, placement const& b) {
    if (a.size() != b.size()) return false;
    for (place const& p : a)
      if (!b.contains(p)) return false;
    return true;
  }
  AXE_FN friend constexpr bool operator==(placement const& a, place_set const& b) {
    if (b.full || a.size() != b.size()) return false;
    for (place const& p : b)
      if (!a.contains(p)) return false;
    return true;
  }

 private:
  /// Base and replicas on axis i.
  AXE_FN constexpr detail::sum_set on_axis(int i) const {
    detail::sum_set set = detail::sums_on(replicas, axes[i]);
    set.least += base[i];
    return set;
  }
  AXE_FN constexpr sum_list sums() const {
    sum_list all;
    for (int i = 0; i < axes.size(); ++i) all.push(on_axis(i));
    return all;
  }

  AXE_FN constexpr integer counted() const {
    integer n = 0;
    iterator const last = end();
    for (iterator i = begin(); !(i == last); ++i) ++n;
    return n;
  }

  AXE_FN constexpr bool moved_up(place& p, sum_list const& sums) const {
    return swizzle.none() ? plain_from(p, sums) : swizzled_from(p, sums[0]);
  }

  AXE_FN constexpr bool plain_from(place& p, sum_list const& sums) const {
    step_budget unbounded(detail::largest);
    int const last = axes.size() - 1;
    for (int i = 0; i <= last;) {
      integer const next = sums[i].at_least(p.terms[i].n, unbounded);
      if (next == p.terms[i].n) {
        ++i;
        continue;
      }
      bool const carry = next == detail::sum_set::none;
      // A component moved up: the faster ones start again. One past its end: the slower one moves
      // up first.
      for (int j = carry ? i : i + 1; j <= last; ++j) p.terms[j].n = sums[j].least;
      if (!carry) {
        p.terms[i].n = next;
        return true;
      }
      if (i == 0) return false;
      --i;
      ++p.terms[i].n;
    }
    return true;
  }

  /// f keeps no order: the least f(v) >= p over every v; f(v) lies less than a period away from v.
  AXE_FN constexpr bool swizzled_from(place& p, detail::sum_set const& on_m) const {
    step_budget unbounded(detail::largest);
    integer const wanted = p.terms[0].n;
    integer const period = swizzle.period();
    integer best = detail::largest;
    integer v = wanted < on_m.least ? on_m.least : wanted - period;
    for (v = on_m.at_least(v, unbounded);
         v != detail::sum_set::none && (best == detail::largest || v - best < period);
         v = on_m.at_least(v + 1, unbounded)) {
      integer const address = swizzle(v);
      if (address >= wanted && address < best) best = address;
    }
    p.terms[0].n = best;
    return best != detail::largest;
  }
};

namespace detail {

/// The places of the element with these digits; l has passed `check`.
AXE_PLANNER constexpr placement place_digits(layout const& l, digit_list const& digits) {
  placement out;
  out.replicas = l.replicas;
  out.swizzle = l.swizzle;
  if (l.swizzle.none())
    out.axes = axe::axes_of(l);
  else
    out.axes.push(axis::m);  // nothing moves on another axis (layout/check.hpp)
  for (axis a : out.axes) {
    integer sum = l.offset(a);
    for (int k = 0; k < digits.size(); ++k)
      if (l.shards[k].on == a) sum += digits[k] * l.shards[k].stride;
    out.base.push(sum);
  }
  return out;
}

}  // namespace detail

/// The places of the element at coordinate c of shape s. O(iters * axes).
AXE_PLANNER constexpr outcome<placement> try_places(layout const& l, shape const& s,
                                                    coordinate const& c) {
  if (refusal const bad = check(l)) return bad;
  detail::extent_list extents;
  if (refusal const bad = detail::admit(l, s, extents)) return bad;
  detail::extent_list leaf;
  if (refusal const bad = detail::leaf_coordinates(s, c, leaf)) return bad;
  return detail::place_digits(l, detail::digits_of(l, extents, leaf));
}

/// The places of element x of the layout, counted row-major.
AXE_PLANNER constexpr outcome<placement> try_places(layout const& l, integer x) {
  if (refusal const bad = check(l)) return bad;
  integer const size = detail::product_of_extents(l.shards);
  if (x < 0 || x >= size) return refusal{rule::index_outside, {x, size - 1}};
  return detail::place_digits(l, detail::digits_of(l, x));
}

AXE_PLANNER constexpr placement places(layout const& l, shape const& s, coordinate const& c) {
  outcome<placement> const result = try_places(l, s, c);
  if (!result) detail::stop_on(result.why, "places", {&l, nullptr, &s, &c});
  return *result;
}
AXE_PLANNER constexpr placement places(layout const& l, integer x) {
  outcome<placement> const result = try_places(l, x);
  if (!result) detail::stop_on(result.why, "places", {&l});
  return *result;
}

/// `{8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}`, ascending.
template <class Out> AXE_FN constexpr void print(Out& out, placement const& set) {
  out.put('{');
  bool first = true;
  for (place const& p : set) {
    if (!first) out.put(", ");
    first = false;
    print(out, p);
  }
  out.put('}');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
