// SPDX-License-Identifier: MIT
// places(L, S, c): an element's set of places, { D(c) + r + O : r in Delta(R) }.
//
//     places(S[(4,2):(1@lane,1@reg)] + R[2:4@lane], {4,2}, {3,1})
//         {3@lane + 1@reg, 7@lane + 1@reg}
//
// Places are in ascending order. Definition: docs/algebra.md, D3.
#pragma once

#include <axe/map/coordinates.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `overflowed` is set by more than 32 different places. Comparisons then reject the set.
struct place_set {
  list<place, 32> places;
  bool overflowed = false;

  constexpr place_set() = default;
  AXE_LAZY_FN constexpr place_set(initializer_list<place> from) {
    for (place const& p : from)
      if (!holds(p) && !places.push(p)) overflowed = true;
  }
  AXE_FN constexpr bool holds(place const& p) const { return places.contains(p); }
  AXE_FN constexpr int size() const { return places.count; }
  AXE_FN constexpr place const* begin() const { return places.begin(); }
  AXE_FN constexpr place const* end() const { return places.end(); }
};

/// The places of one element as a range. Iteration has no step limit.
struct placement {
  place base;  // D(x) + O, before the swizzle
  detail::replica_iters replicas;
  axe::swizzle swizzle{};  // unless it is the identity, m is the only axis

 private:
  using sum_list = list<detail::sum_set, capacity::axes>;

 public:
  AXE_LAZY_FN constexpr place first() const {
    place p = base;
    if (replicas.count > 0)
      for (term& t : p.terms) t.n = on(t.on).least;
    if (!swizzle.none() && p.terms.count != 0) {
      p.terms[0].n = detail::smallest;
      swizzled_from(p, on(axis::m));
    }
    return p;
  }

  AXE_LAZY_FN constexpr bool contains(place const& p) const {
    for (term const& t : p.terms)
      if (t.n != 0 && !names(t.on)) return false;
    for (term const& t : base.terms) {
      step_limit unbounded(detail::largest);
      integer const at = p[t.on];
      if (!on(t.on).contains(t.is_on(axis::m) ? swizzle.inverse(at) : at, unbounded)) return false;
    }
    return true;
  }

  AXE_LAZY_FN constexpr detail::sum_set on(axis a) const {
    if (!names(a)) return {};
    detail::sum_set set = detail::sums_on(replicas, a);
    set.least += base[a];
    return set;
  }
  AXE_FN constexpr bool names(axis a) const { return base.names(a); }

  struct iterator {
    placement const* of = nullptr;
    sum_list sums;
    place at;
    bool done = false;

    AXE_FN constexpr place const& operator*() const { return at; }
    AXE_FN constexpr place const* operator->() const { return &at; }
    AXE_LAZY_FN constexpr iterator& operator++() {
      done = !of->next(at, sums);
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) { return i.done; }
  };
  AXE_FN constexpr iterator begin() const { return {this, sums(), first()}; }
  AXE_FN constexpr detail::range_end end() const { return {}; }

  /// Cost: O(iters) if R meets the gap condition, else O(places of an axis).
  AXE_LAZY_FN constexpr outcome<integer> try_size(step_limit steps) const {
    integer product = 1;
    for (term const& t : base.terms) {
      integer const here = on(t.on).count(steps);
      if (steps.spent()) return steps.refusal();
      if (!detail::multiply(product, here))
        return refusal{rule::result_size_overflows, {product, here}};
    }
    return product;
  }
  AXE_LAZY_FN constexpr integer size() const {
    return detail::stop_on(try_size(step_limit(detail::largest)), "size");
  }

 private:
  // Before operator==, or clang cannot evaluate it in constants.
  AXE_FN constexpr bool contains_all(auto const& set) const {
    for (place const& p : set)
      if (!contains(p)) return false;
    return true;
  }

 public:
  AXE_LAZY_FN friend constexpr bool operator==(placement const& a, placement const& b) {
    return a.size() == b.size() && a.contains_all(b);
  }
  AXE_LAZY_FN friend constexpr bool operator==(placement const& a, place_set const& b) {
    if (b.overflowed) detail::stop_on(refusal{rule::place_set_overflows}, "places");
    return a.size() == b.size() && a.contains_all(b);
  }

 private:
  AXE_LAZY_FN constexpr sum_list sums() const {
    sum_list all;
    for (term const& t : base.terms) all.push(on(t.on));
    return all;
  }

  AXE_LAZY_FN constexpr bool next(place& p, sum_list const& sums) const {
    if (!swizzle.none()) {
      ++p.terms[0].n;
      return swizzled_from(p, sums[0]);
    }
    step_limit unbounded(detail::largest);
    for (int i = p.terms.count - 1; i >= 0; --i) {
      integer& n = p.terms[i].n;
      n = sums[i].at_least(n + 1, unbounded);
      if (n != detail::sum_set::none) return true;
      n = sums[i].least;
    }
    return false;
  }

  /// Sets p to the smallest swizzle(v) that is not below p, for v in on_m. False if there is none.
  AXE_LAZY_FN constexpr bool swizzled_from(place& p, detail::sum_set const& on_m) const {
    using namespace detail;
    step_limit unbounded(largest);
    integer const wanted = p.terms[0].n;
    integer const period = swizzle.period();
    integer best = largest;
    integer v = wanted < on_m.least ? on_m.least : wanted - period;
    for (v = on_m.at_least(v, unbounded);
         v != sum_set::none && (best == largest || v - best < period);
         v = on_m.at_least(v + 1, unbounded)) {
      integer const address = swizzle(v);
      if (address >= wanted && address < best) best = address;
    }
    p.terms[0].n = best;
    return best != largest;
  }
};

namespace detail {

AXE_LAZY_FN constexpr placement placement_of(layout const& l, integer x) {
  placement out{{}, l.replicas, l.swizzle};
  for (axis a : l.swizzle.none() ? axes_of(l) : axis_list{axis::m})
    out.base.terms.push({l.offset(a), a});
  for (int k = l.shards.count - 1; k >= 0; --k) {
    iter const& i = l.shards[k];
    for (term& t : out.base.terms)
      if (t.is_on(i.on)) t.n += x % i.extent * i.stride;
    x /= i.extent;
  }
  return out;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<placement> try_places(layout const& l, shape const& s,
                                                    coordinate const& c) {
  using namespace detail;
  if (refusal const bad = check(l)) return bad;
  extent_list extents;
  if (refusal const bad = admit_leaves(l, s, extents)) return bad;
  extent_list leaf;
  if (refusal const bad = leaf_coordinates(s, c, leaf)) return bad;
  integer x = 0;
  for (int d = 0; d < extents.count; ++d) x = x * extents[d] + leaf[d];
  return placement_of(l, x);
}

AXE_LAZY_FN constexpr outcome<placement> try_places(layout const& l, integer x) {
  if (refusal const bad = check(l)) return bad;
  integer const size = detail::product_of_extents(l.shards);
  if (x < 0 || x >= size) return refusal{rule::index_outside, {x, size - 1}};
  return detail::placement_of(l, x);
}

AXE_LAZY_FN constexpr placement places(layout const& l, shape const& s, coordinate const& c) {
  return detail::stop_on(try_places(l, s, c), "places", {&l, nullptr, &s, &c});
}
AXE_LAZY_FN constexpr placement places(layout const& l, integer x) {
  return detail::stop_on(try_places(l, x), "places", {&l});
}

AXE_FN constexpr void print(auto& out, placement const& set) {
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
