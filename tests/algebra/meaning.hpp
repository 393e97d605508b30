// The definitions of the operations as equations over places, at compile time and at run time. Each
// function returns null if its equation holds, else a sentence.
//
//     slice_means(L, {8,8}, {{2,5},{0,8}})       every element of the slice is where L puts it
//     tile_means(A, S_A, B, S_B)                 T(p,q) = span(B) * A(p) + B(q) as sets
//
// They call only the operation, size, places, span and min; unpack_means also calls pack and
// equivalent. tests/map and sweep_test.cpp compare all of these except pack with the oracle.
#pragma once

#include <axe/algebra/factor.hpp>
#include <axe/axe.hpp>

namespace axe_test {

using axe::integer;
using axe::layout;
using axe::place;
using axe::shape;

using extents = axe::list<integer, 24>;

constexpr extents extents_of(shape const& s) {
  extents e;
  for (int d = 0; d < s.rank(); ++d) e.push(s[d].nodes.value(0));
  return e;
}
constexpr integer product(extents const& e) {
  integer n = 1;
  for (integer one : e) n *= one;
  return n;
}
/// The coordinate of element x in row-major order. `element` is the inverse.
constexpr extents coordinate_of(extents const& e, integer x) {
  extents c = e;
  for (int d = e.size() - 1; d >= 0; --d) {
    c[d] = x % e[d];
    x /= e[d];
  }
  return c;
}
constexpr integer element(extents const& e, extents const& c) {
  integer x = 0;
  for (int d = 0; d < e.size(); ++d) x = x * e[d] + c[d];
  return x;
}

/// True if the operation was rejected because its result is not a list of digits. The rule's name
/// then begins with "no_layout_" and `how`, for example no_layout_steps.
constexpr bool no_layout_exists(axe::refusal const& why, char const* how = "steps") {
  char const* name = axe::name_of(why.which);
  for (char const* part : {"no_layout_", how})
    for (; *part != '\0'; ++part, ++name)
      if (*name != *part) return false;
  return true;
}

/// A layout that g++ does not know at compile time. g++ evaluates constexpr calls with constant
/// arguments at compile time, also in run-time tests. For all elements of a layout this takes
/// minutes and gigabytes.
inline layout at_run_time(layout const& l) { return l; }

constexpr char const* slice_means(layout const& l, shape const& s, axe::region const& r) {
  layout const part = axe::slice(l, s, r);
  extents const whole = extents_of(s);
  extents sliced = whole;
  for (int d = 0; d < whole.size(); ++d) sliced[d] = r.ranges[d].end - r.ranges[d].begin;
  if (axe::size(part) != product(sliced)) return "the slice has another size";
  for (integer x = 0; x < axe::size(part); ++x) {
    extents c = coordinate_of(sliced, x);
    for (int d = 0; d < c.size(); ++d) c[d] += r.ranges[d].begin;
    if (!(axe::places(part, x) == axe::places(l, element(whole, c))))
      return "an element of the slice lies elsewhere";
  }
  return nullptr;
}

constexpr char const* permute_means(layout const& l, shape const& s, axe::coordinate const& order) {
  layout const p = axe::permute(l, s, order);
  extents const whole = extents_of(s);
  extents permuted = whole;
  for (int d = 0; d < whole.size(); ++d)
    permuted[d] = whole[static_cast<int>(order[d].nodes.value(0))];
  for (integer x = 0; x < axe::size(p); ++x) {
    extents const c = coordinate_of(permuted, x);
    extents from = c;
    for (int d = 0; d < c.size(); ++d) from[static_cast<int>(order[d].nodes.value(0))] = c[d];
    if (!(axe::places(p, x) == axe::places(l, element(whole, from))))
      return "a permuted element lies elsewhere";
  }
  return axe::size(p) == axe::size(l) ? nullptr : "the permuted layout has another size";
}

constexpr char const* broadcast_means(layout const& l, shape const& s, int position,
                                      integer extent) {
  layout const b = axe::broadcast(l, s, position, extent);
  extents wider = extents_of(s);
  wider.insert(position, extent);
  if (axe::size(b) != product(wider)) return "the broadcast layout has another size";
  for (integer x = 0; x < axe::size(b); ++x) {
    extents c = coordinate_of(wider, x);
    c.erase(position);
    if (!(axe::places(b, x) == axe::places(l, element(extents_of(s), c))))
      return "a broadcast element lies elsewhere";
  }
  return nullptr;
}

/// factor(axis) * p + q on every axis.
template <class Factor> constexpr place scaled_sum(place const& p, place const& q, Factor factor) {
  place out = q;
  for (axe::term const& t : p.terms) out.add({t.n * factor(t.on), t.on});
  return out;
}

/// T(p,q) = factor * A(p) + B(q) as sets. The dimensions of T alternate between those of A and of
/// B.
template <class Factor>
constexpr char const* sum_of_sets_means(layout const& t, layout const& a, shape const& s_a,
                                        layout const& b, shape const& s_b, Factor factor) {
  extents const outer = extents_of(s_a), inner = extents_of(s_b);
  extents both;
  for (int d = 0; d < outer.size(); ++d) {
    both.push(outer[d]);
    both.push(inner[d]);
  }
  if (axe::size(t) != product(both)) return "the sum has another size";
  for (integer x = 0; x < axe::size(t); ++x) {
    extents const c = coordinate_of(both, x);
    extents p = outer, q = inner;
    for (int d = 0; d < outer.size(); ++d) {
      p[d] = c[2 * d];
      q[d] = c[2 * d + 1];
    }
    axe::placement const here = axe::places(t, x), at_a = axe::places(a, element(outer, p)),
                         at_b = axe::places(b, element(inner, q));
    for (place const& one : at_a)
      for (place const& other : at_b)
        if (!here.contains(scaled_sum(one, other, factor))) return "a sum is missing";
    for (place const& found : here) {
      bool is_sum = false;
      for (place const& one : at_a)
        for (place const& other : at_b) is_sum = is_sum || found == scaled_sum(one, other, factor);
      if (!is_sum) return "a place is not a sum";
    }
  }
  return nullptr;
}

constexpr char const* tile_means(layout const& a, shape const& s_a, layout const& b,
                                 shape const& s_b) {
  return sum_of_sets_means(axe::tile(a, s_a, b, s_b), a, s_a, b, s_b,
                           [&](axe::axis on) { return axe::span(b, on); });
}
constexpr char const* sum_means(layout const& a, shape const& s_a, layout const& b,
                                shape const& s_b) {
  return sum_of_sets_means(axe::direct_sum(a, s_a, b, s_b), a, s_a, b, s_b,
                           [](axe::axis) { return integer{1}; });
}

/// A with its strides and offset on each axis multiplied by B's span there. A tile is the direct
/// sum of this layout and B.
constexpr layout scaled_by_span(layout a, layout const& b) {
  for (axe::iter& i : a.shards) i.stride *= axe::span(b, i.on);
  for (axe::iter& r : a.replicas) r.stride *= axe::span(b, r.on);
  for (axe::term& o : a.offsets) o.n *= axe::span(b, o.on);
  return a;
}

/// C(x) = the union of A(b) over all places b of B(x).
constexpr char const* compose_means(layout const& a, layout const& b, axe::axis along) {
  layout const c = axe::compose(a, b);
  if (axe::size(c) != axe::size(b)) return "the composition has another size";
  for (integer x = 0; x < axe::size(b); ++x) {
    axe::placement const here = axe::places(c, x);
    for (place const& i : axe::places(b, x))
      for (place const& p : axe::places(a, i[along]))
        if (!here.contains(p)) return "a place of A(B(x)) is missing";
    for (place const& p : here) {
      bool is_there = false;
      for (place const& i : axe::places(b, x))
        is_there = is_there || axe::places(a, i[along]).contains(p);
      if (!is_there) return "a place is not in A(B(x))";
    }
  }
  return nullptr;
}

/// Each place of L in the box of the named axes holds the element that the inverse gives for it.
constexpr char const* inverse_means(layout const& l, axe::axis_list const& named) {
  axe::outcome<layout> const inverse = axe::try_inverse(l, named);
  if (!inverse) return "the layout has no inverse";
  integer box = 1;
  for (axe::axis a : named) box *= axe::span(l, a);
  if (axe::size(*inverse) != box) return "the inverse has another size";
  for (integer x = 0; x < axe::size(l); ++x)
    for (place const& p : axe::places(l, x)) {
      integer at = 0;
      for (axe::axis a : named) at = at * axe::span(l, a) + p[a] - (axe::min)(l, a);
      if (!(axe::places(*inverse, at) == axe::place_set{x * axe::axis::m}))
        return "a place holds another element";
    }
  return nullptr;
}

/// U(x*n + i) = n * L(x) + i on the axis, and pack undoes unpack.
constexpr char const* unpack_means(layout const& l, integer n, axe::axis a) {
  layout const wide = axe::unpack(l, n, a);
  if (axe::size(wide) != axe::size(l) * n) return "the unpacked layout has another size";
  for (integer x = 0; x < axe::size(wide); ++x) {
    axe::placement const here = axe::places(wide, x), before = axe::places(l, x / n);
    if (here.size() != before.size()) return "an element has another number of replicas";
    for (place p : before) {
      p.add({p[a] * (n - 1) + x % n, a});
      if (!here.contains(p)) return "a narrow element lies elsewhere";
    }
  }
  return axe::equivalent(axe::pack(wide, n, a), l) ? nullptr : "pack does not undo unpack";
}

}  // namespace axe_test
