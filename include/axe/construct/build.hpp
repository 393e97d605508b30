// SPDX-License-Identifier: MIT
// S(extents, strides), R(extents, strides) and +: a layout as a C++ expression.
//
//     S({8, rows}, {4*lane, 1*reg}) + R({2}, {4*warp}) + 5*warp
//     S({64, columns}) + 128                 row-major on m; a bare number is on m
//
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct replica_list {
  list<iter, capacity::replicas> iters;
};

namespace detail {

/// Callers stop on the result, so that compilers print one call less.
AXE_FN constexpr refusal pair_up(initializer_list<integer> extents, initializer_list<term> strides,
                                 auto& to, rule full) {
  integer const count = static_cast<integer>(extents.size());
  integer const pairs = static_cast<integer>(strides.size());
  if (count != pairs) return {rule::strides_do_not_pair, {count, pairs}};
  term const* stride = strides.begin();
  for (integer extent : extents) {
    iter const i{extent, stride->n, stride->on};
    if (breaks_a_rule(i)) return check_iter(i, to.count);
    if (!to.push(i)) return {full, {count}};
    ++stride;
  }
  return {};
}

}  // namespace detail

AXE_LAZY_FN constexpr layout S(initializer_list<integer> extents, initializer_list<term> strides) {
  layout l;
  detail::stop_on(detail::pair_up(extents, strides, l.shards, rule::too_many_shards), "S", {&l});
  return l;
}

AXE_LAZY_FN constexpr layout S(initializer_list<integer> extents) {
  using namespace detail;
  layout l;
  for (integer extent : extents) {
    iter const i{extent, 1, axis::m};
    if (breaks_a_rule(i)) stop_on(check_iter(i, l.shards.count), "S", {&l});
    if (!l.shards.push(i))
      stop_on(refusal{rule::too_many_shards, {static_cast<integer>(extents.size())}}, "S", {&l});
  }
  integer stride = 1;
  for (int k = l.shards.count - 1; k >= 0; --k) {
    l.shards[k].stride = stride;
    if (k > 0 && !multiply(stride, l.shards[k].extent))
      stop_on(refusal{rule::size_overflows}, "S", {&l});
  }
  return l;
}

template <class... X> AXE_FN constexpr layout S(X const&...) {
  static_assert(detail::never<X...>,
                "S takes extents and strides in braces, and a stride is a number on an axis: "
                "S({8, 4}, {4 * lane, 1 * reg}); axe::parse reads text");
  return {};
}
template <class X = axis> AXE_FN constexpr layout S(initializer_list<integer>, axis_list) {
  return S(X{});
}

AXE_LAZY_FN constexpr replica_list R(initializer_list<integer> extents,
                                     initializer_list<term> strides) {
  replica_list r;
  detail::stop_on(detail::pair_up(extents, strides, r.iters, rule::too_many_replicas), "R");
  return r;
}

AXE_LAZY_FN constexpr layout operator+(layout l, replica_list const& r) {
  for (iter const& i : r.iters)
    if (!l.replicas.push(i)) detail::stop_on(refusal{rule::too_many_replicas}, "R", {&l});
  detail::order_offsets(l);
  return l;
}

AXE_LAZY_FN constexpr layout operator+(layout l, term const& o) {
  detail::stop_on(detail::add_to_offset(l, o.n, o.on), "offset", {&l});
  detail::order_offsets(l);
  return l;
}
AXE_LAZY_FN constexpr layout operator-(layout const& l, term const& o) {
  if (o.n == detail::smallest)
    detail::stop_on(refusal{rule::result_places_overflow, {}, {o.on}}, "offset", {&l});
  return l + term(-o.n, o.on);
}
AXE_LAZY_FN constexpr layout operator+(layout l, place const& o) {
  for (term const& t : o.terms) l = l + t;
  return l;
}
template <class X, class Y>
  requires(detail::stl::is_same_v<Y, layout> ||
           (detail::stl::is_same_v<X, layout> && detail::stl::is_same_v<Y, axis>))
AXE_FN constexpr layout operator+(X const&, Y const&) {
  static_assert(
      detail::never<X>,
      "write the layout first, and a number on an axis, as in l + 5 * lane and l + R({2}, "
      "{4 * warp}); axe::direct_sum adds two layouts");
  return {};
}
template <class X, class Y>
  requires(detail::stl::is_same_v<X, layout> || detail::stl::is_same_v<Y, layout>)
AXE_FN constexpr layout operator*(X const&, Y const&) {
  static_assert(detail::never<X>,
                "a layout cannot be multiplied: axe::tile repeats a layout, and axe::compose(a, b) "
                "is a after b");
  return {};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
