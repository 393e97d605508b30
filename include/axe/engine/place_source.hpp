// The places of an operation's result, element by element and copy by copy: what is asked where no
// closed form has the answer.
//
//     walked_places(swizzle(2,1,2) o S[(3,4):(16,1)], walk_of(12, 1)).at(5, 0)     17 ^ 4 = 21: element 5, behind the swizzle
//
// engine/fit.hpp finds the layout that has such places.
// Definition: docs/algebra.md, D10.
// Source: the definition of the map (D3), asked of every element.
#pragma once

#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Where each element of a result lies: copy j of element x. Virtual, so that one table method
/// serves all operations: a template would be compiled for each.
struct place_source {
  integer size = 1;
  integer count = 1;  // copies, with repetitions; -1 when they leave 64 bits
  int cost = 1;       // steps of one answer
  interval on_m;      // no address lies outside

  AXE_FN virtual constexpr place at(integer x, integer j) const = 0;
};

/// A canonical layout as a function of the element and the copy.
struct copies_of {
  digit_function elements{{}};
  digit_function copies{{}};
  place start;
  axe::swizzle f{};
  integer count = 1;

  AXE_FN constexpr explicit copies_of(layout const& l) : elements(l.shards), f(l.swizzle) {
    iter_list replicas;
    for (iter const& r : l.replicas) {
      replicas.push(r);
      if (count > 0 && !multiply(count, r.extent)) count = -1;
    }
    copies = digit_function(replicas);
    for (term const& t : l.offsets) start.add(t);
  }
  AXE_FN constexpr int cost() const { return elements.cost() + copies.cost() + 1; }
  AXE_FN constexpr place operator()(integer x, integer j) const {
    place p = elements(x) + start;
    if (count != 1) p = p + copies(j);
    for (term& t : p.terms)
      if (t.on == axis::m) t.n = f(t.n);
    return p;
  }
};

/// Where addresses in an interval can come to lie: a swizzle keeps every block of 2^(M+B) to
/// itself, 2^(M+B+|S|) where it XORs upward.
AXE_PLANNER constexpr interval swizzled_bound(interval reach, axe::swizzle f) {
  if (f.none()) return reach;
  integer const block = integer{1} << (f.M + f.B - smaller(f.S, 0));
  return {floor_divide(reach.least, block) * block,
          floor_divide(reach.largest, block) * block + block - 1};
}
AXE_PLANNER constexpr interval address_bound(layout const& l) {
  interval reach;
  plain_reach(l, axis::m, reach);
  return swizzled_bound(reach, l.swizzle);
}

/// L with every stride and offset on each axis times that axis' factor.
struct axis_factors {
  list<term, capacity::axes> by;

  AXE_FN constexpr integer operator[](axis a) const {
    for (term const& t : by)
      if (t.on == a) return t.n;
    return 1;
  }
};

/// So many elements, each `pitch` behind the one before.
AXE_PLANNER constexpr box_walk walk_of(integer size, integer pitch) {
  box_walk walk{digit_function({})};
  walk.box.push({size, pitch});
  return walk;
}

/// Elements of a layout along a walk: (f(L(x)) - minus) / over.
struct walked_places : place_source {
  copies_of of;
  box_walk walk;
  axe::swizzle then{};
  place minus;
  axis_factors over;

  AXE_FN constexpr walked_places(layout const& l, box_walk const& along) : of(l), walk(along) {
    size = walk.size();
    count = of.count;
    cost = of.cost() + walk.box.size();
    on_m = address_bound(l);
  }
  AXE_FN constexpr place undivided(integer x, integer j) const {
    place p = of(walk.position(x), j);
    for (term& t : p.terms)
      if (t.on == axis::m) t.n = then(t.n);
    for (term const& t : minus.terms) p = p - t;
    return p;
  }
  AXE_FN constexpr place at(integer x, integer j) const override {
    place p = undivided(x, j);
    for (term& t : p.terms) t.n /= over[t.on];
    return p;
  }
  /// Are all components whole? Out of steps they are taken to be; whoever goes on looks at them
  /// again and runs out, too.
  AXE_PLANNER constexpr bool divides(step_budget& steps) const {
    for (integer x = 0; x < size; ++x)
      for (integer j = 0; j < count; ++j) {
        steps.taken += cost;
        if (steps.taken > steps.allowed) return true;
        for (term const& t : undivided(x, j).terms)
          if (t.n % over[t.on] != 0) return false;
      }
    return true;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
