// max_common_layout(A, B): the elements that lie next to each other, from place 0 on, in both: A(R(i)) = B(R(i)) = i. max_common_vector: how many.
//
//     max_common_layout((8,4):(1,8), (8,4):(1,16))      8:1
//     max_common_vector((8,4):(4,1), (8,4):(4,1))       32            4:8 first: the order of the elements is the same in both
//     max_common_vector((8,4):(1,8), (8,4):(4,1))       1
//
//     max_common_vector(Sw<3,3,3> o 0 o 512:1, 512:1)   8             its first row stays as it is, but the next ones go in runs of 2^3
//
// R is the part of right_inverse(B) that A agrees with, as far as it is a layout. It is what a vector access may span anywhere, so a swizzle in A or B
// holds it to 2^M. Refused: what right_inverse refuses, but for swizzles.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/right_inverse.hpp>

namespace axe::inline AXE_NAMESPACE::cute {

namespace detail {

/// The first n elements of a layout, as far as its digits allow: the largest number up to n that is a product of digits, the last one cut.
AXE_FN constexpr layout first_elements(leaf_list const& digits, integer n) {
  leaf_list done;
  for (leaf const& d : digits) {
    integer const extent = smaller(d.extent, n);
    add_coalesced(done, {extent, d.stride});
    if (extent < d.extent) break;
    n /= extent;
  }
  return of_leaves(done);
}

/// The plain part; where there is a swizzle at most 2^M elements follow one another.
AXE_FN constexpr outcome<layout> run_through_swizzle(layout const& b, step_budget& steps) {
  outcome<layout> const run = run_of(b.leaves, steps);
  if (!run || b.swizzle.none()) return run;
  integer const chunk = integer{1} << b.swizzle.M;
  integer n = 0;  // where places and plain places agree
  while (n < chunk && n < size_of(*run) && b.swizzle(n) == n) ++n;
  return first_elements(run->leaves, n);
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_max_common_layout(layout const& one, layout const& other,
                                                       step_budget steps = {}) {
  for (layout const* l : {&one, &other})
    if (refusal const bad = check(*l); bad.which != rule::none) return bad;
  layout const a = detail::as_plain(one);
  layout const b = detail::as_plain(other);
  if (a.offset != 0 || b.offset != 0) return refusal{rule::cute_is_composed};
  outcome<layout> const run = detail::run_through_swizzle(b, steps);
  if (!run) return run;
  integer n = 1;
  integer most = detail::size_of(*run);
  if (!a.swizzle.none()) most = detail::smaller(most, integer{1} << a.swizzle.M);
  for (; n < most; ++n) {
    steps.taken += a.leaves.size() + run->leaves.size();
    if (!steps.take()) return steps.refusal();
    integer const element = detail::plain_at(run->leaves, n);
    if (element >= detail::size_of(a) || detail::value_at(a, element) != n) break;
  }
  return detail::first_elements(run->leaves, n);
}

AXE_FN constexpr layout max_common_layout(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<layout> const result = try_max_common_layout(a, b, steps);
  detail::stop_on(result.why, "max_common_layout", {});
  return *result;
}
AXE_CUTE_LIFT(max_common_layout);

AXE_FN constexpr outcome<integer> try_max_common_vector(layout const& a, layout const& b,
                                                        step_budget steps = {}) {
  outcome<layout> const common = try_max_common_layout(a, b, steps);
  if (!common) return common.why;
  return detail::size_of(*common);
}
AXE_FN constexpr integer max_common_vector(layout const& a, layout const& b, step_budget steps = {}) {
  outcome<integer> const result = try_max_common_vector(a, b, steps);
  detail::stop_on(result.why, "max_common_vector", {});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE::cute
