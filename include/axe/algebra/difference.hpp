// SPDX-License-Identifier: MIT
// difference(A, B): the first element at which two layouts have different places, if any.
//
//     difference(S[(2,4):(5,1)], S[8:1])          element 4: {5@m} and {4@m}
//
// Definition: docs/algebra.md, D6.
#pragma once

#include <axe/engine/digits.hpp>
#include <axe/map/places.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct layout_difference {
  bool found = false;
  integer at = 0;                   // the element
  bool in_a = false, in_b = false;  // the layout has an element `at`
  placement a, b;

  AXE_FN constexpr explicit operator bool() const { return found; }
};

namespace detail {

AXE_FN constexpr void print_difference(auto& out, layout_difference const& d,
                                       auto const& print_places) {
  if (!d.found) return out.put("none");
  print_all(out, "element ", d.at, ": ");
  if (d.in_a)
    print_places(d.a);
  else
    out.put("nothing");
  out.put(" and ");
  if (d.in_b)
    print_places(d.b);
  else
    out.put("nothing");
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, layout_difference const& d) {
  detail::print_difference(out, d, [&](placement const& set) { print(out, set); });
}

namespace detail {

inline constexpr integer nowhere = -1;

AXE_LAZY_FN constexpr integer first_difference(iter_list const& a, iter_list const& b) {
  integer x = 1;
  int i = a.count - 1;
  int j = b.count - 1;
  for (; i >= 0 && j >= 0; --i, --j) {
    if (a[i].stride != b[j].stride || !a[i].is_on(b[j].on)) return x;
    if (a[i].extent != b[j].extent) return x * smaller(a[i].extent, b[j].extent);
    x *= a[i].extent;
  }
  return i < 0 && j < 0 ? nowhere : x;
}

AXE_LAZY_FN constexpr outcome<bool> same_places(placement const& a, placement const& b,
                                                step_limit& steps) {
  if (a.swizzle == b.swizzle) {
    placement const* const both[] = {&a, &b};
    for (placement const* one : both)
      for (term const& t : one->base.terms) {
        if (one == &b && a.names(t.on)) continue;
        outcome<bool> const same = same_set(a.on(t.on), b.on(t.on), steps);
        if (same.why || !*same) return same;
      }
    return true;
  }
  // A swizzled layout lies on m only.
  if (a.swizzle.none()) return same_places(b, a, steps);
  outcome<integer> const size_a = a.try_size(steps);
  outcome<integer> const size_b = b.try_size(steps);
  if (size_a.why || size_b.why) return size_a.why ? size_a.why : size_b.why;
  if (*size_a != *size_b) return false;
  sum_set const before = a.on(axis::m);
  for (integer v = before.least; v != sum_set::none; v = before.at_least(v + 1, steps)) {
    if (!steps.take()) return steps.refusal();
    if (!b.contains(place{term{a.swizzle(v), axis::m}})) return false;
  }
  if (steps.spent()) return steps.refusal();
  return true;
}

/// An n with L(q*n + r) = D(q*n) + L(r), because each D(q*n) is a multiple of the period.
AXE_LAZY_FN constexpr integer elements_per_period(iter_list const& shards, integer period) {
  integer inner = product_of_extents(shards);
  for (iter const& i : shards) {
    integer const turn = period / greatest_common_divisor(period, i.stride);
    if (turn != 1) {
      if (i.extent % turn == 0) inner /= i.extent / turn;
      break;
    }
    inner /= i.extent;
  }
  return inner;
}

/// May miss a difference after the first `common` elements. Precondition: canonical layouts with
/// different swizzles.
AXE_LAZY_FN constexpr outcome<integer> first_swizzled_difference(layout const& a, layout const& b,
                                                                 integer common,
                                                                 step_limit& steps) {
  integer const period = larger(a.swizzle.period(), b.swizzle.period());
  integer const inner =
      larger(elements_per_period(a.shards, period), elements_per_period(b.shards, period));
  iter_list outer_a;
  iter_list outer_b;
  bool const split = emit_between(a.shards, inner, product_of_extents(a.shards), outer_a) &&
                     emit_between(b.shards, inner, product_of_extents(b.shards), outer_b);
  integer const compared = split ? smaller(inner, common) : common;
  for (integer x = 0; x < compared; ++x) {
    if (!steps.take()) return steps.refusal();
    outcome<bool> const same = same_places(placement_of(a, x), placement_of(b, x), steps);
    if (same.why) return same.why;
    if (!*same) return x;
  }
  if (!split) return nowhere;
  integer outside = first_difference(outer_a, outer_b);
  return outside == nowhere ? nowhere : outside * inner;
}

AXE_LAZY_FN constexpr outcome<integer> first_difference(valid_layout a, valid_layout b,
                                                        step_limit& steps) {
  outcome<layout> const one = canonical(a);
  outcome<layout> const two = canonical(b);
  if (one.why) return one.why;
  if (two.why) return two.why;
  integer const size_a = product_of_extents(one->shards);
  integer const size_b = product_of_extents(two->shards);
  integer const common = smaller(size_a, size_b);
  integer x = nowhere;
  if (one->swizzle == two->swizzle) {
    outcome<bool> const same = same_places(placement_of(*one, 0), placement_of(*two, 0), steps);
    if (same.why) return same.why;
    x = *same ? first_difference(one->shards, two->shards) : 0;
  } else {
    outcome<integer> const found = first_swizzled_difference(*one, *two, common, steps);
    if (found.why) return found.why;
    x = *found;
  }
  if (size_a == size_b) return x;
  return x == nowhere ? common : smaller(x, common);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout_difference> try_difference(layout const& a, layout const& b,
                                                                step_limit steps = {}) {
  using namespace detail;
  valid_layout one, two;
  if (refusal const bad = admit_both(one, a, two, b)) return bad;
  outcome<integer> const x = first_difference(one, two, steps);
  if (x.why) return x.why;
  layout_difference result;
  if (*x == nowhere) return result;
  result.found = true;
  result.at = *x;
  result.in_a = *x < product_of_extents(a.shards);
  result.in_b = *x < product_of_extents(b.shards);
  if (result.in_a) result.a = placement_of(a, *x);
  if (result.in_b) result.b = placement_of(b, *x);
  return result;
}

AXE_LAZY_FN constexpr layout_difference difference(layout const& a, layout const& b) {
  return detail::stop_on(try_difference(a, b), "difference", {&a, &b});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
