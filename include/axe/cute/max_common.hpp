// max_common_layout(A, B): the elements that lie next to each other in both, from element 0 on:
// A(R(i)) - A(0) = B(R(i)) - B(0) = i. max_common_vector: how many.
//
//     max_common_layout((8,4):(1,8), (8,4):(1,16))      8:1
//     max_common_vector((8,4):(4,1), (8,4):(4,1))       32            4:8 first: the order of the elements is the same in both
//     max_common_vector((8,4):(1,8), (8,4):(4,1))       1
//     max_common_vector(Sw<0,0,1> o 3 o 8:1, 8:1)       8             where a layout begins is not a vector's concern …
//
//     max_common_vector(Sw<3,3,3> o 0 o 512:1, 512:1)   8             its first row stays as it is, but the next ones go in runs of 2^3
//     max_common_vector(Sw<3,3,3> o 4 o 512:1, 512:1)   4             … but for a swizzle: every other vector would end in another run
//
// R is the part of right_inverse(B) that A agrees with, offsets and swizzles left aside, as far as
// it is a layout. It is what a vector access may span from element 0 on: (2,3):(1,34) and
// (3,2):(1,5) have 2, as in CuTe, but not from element 2 on. Behind a swizzle, in A or B, no vector
// may reach across a multiple of the largest power of two that divides 2^M, the offset and the
// strides of the digits that R leaves. Nothing is refused beside overflow and steps. O(leaves of A
// * leaves of B) where the digits of B are digits of A.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The first n elements of a layout, as far as its digits allow: the largest number up to n that is
/// a product of digits, the last one cut.
AXE_FN constexpr leaf_list first_elements(leaf_list const& digits, integer n) {
  leaf_list done;
  for (leaf const& d : digits) {
    integer const extent = smaller(d.extent, n);
    add_coalesced(done, {extent, d.stride});
    if (extent < d.extent) break;
    n /= extent;
  }
  return done;
}
AXE_FN constexpr integer size_of(leaf_list const& digits) {
  integer n = 1;
  for (leaf const& d : digits) n *= d.extent;
  return n;
}

/// How many of the elements that `run` lists lie next to each other in A, whose leaves are
/// coalesced: digit by digit.
AXE_FN constexpr integer agreeing(leaf_list const& a, leaf_list const& run, step_budget& steps) {
  integer used[capacity::shards]{};  // of each digit of A, so far
  integer n = 1;
  for (leaf const& r : run) {
    integer weight = 1;
    int k = 0;
    while (k < a.size() && r.stride >= weight * a[k].extent) weight *= a[k++].extent;
    if (k == a.size()) return n;
    if (r.stride % weight != 0) {  // across digits: element by element
      integer const size = size_of(a);
      for (; n < size_of(run); ++n) {
        steps.taken += a.size() + run.size();
        integer const element = plain_at(run, n);
        if (!steps.take() || element >= size || plain_at(a, element) != n) return n;
      }
      return n;
    }
    integer const in_digit = r.stride / weight;
    if (a[k].stride * in_digit != n) return n;
    integer const fit = smaller((a[k].extent - 1 - used[k]) / in_digit + 1, r.extent);
    used[k] += (fit - 1) * in_digit;
    n *= fit;
    if (fit < r.extent) return n;
  }
  return n;
}

/// The power of two that no vector of R's elements in L may reach across: all of them, where L has
/// no swizzle.
AXE_FN constexpr integer chunk_of(layout const& l, leaf_list const& r) {
  if (l.swizzle.none()) return largest;
  integer chunk = greatest_common_divisor(integer{1} << l.swizzle.M, magnitude(l.offset));
  integer weight = 1;
  for (leaf const& d : coalesced(l.leaves)) {
    integer taken = 1;  // of this digit by R
    for (leaf const& part : r)
      if (part.stride >= weight && part.stride < weight * d.extent)
        taken = larger(taken, (part.extent - 1) * (part.stride / weight) + 1);
    if (taken < d.extent) chunk = greatest_common_divisor(chunk, magnitude(d.stride) * taken);
    weight *= d.extent;
  }
  return chunk;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_max_common_layout(layout const& one, layout const& other,
                                                       step_budget steps = {}) {
  for (layout const* l : {&one, &other})
    if (refusal const bad = check(*l)) return bad;
  layout const a = detail::as_plain(one);
  layout const b = detail::as_plain(other);
  outcome<layout> const run = detail::run_of(b.leaves, steps);
  if (!run) return run;
  integer n = detail::agreeing(detail::coalesced(a.leaves), run->leaves, steps);
  if (steps.taken > steps.allowed) return steps.refusal();
  for (;;) {
    leaf_list const common = detail::first_elements(run->leaves, n);
    integer const chunk = detail::smaller(detail::chunk_of(a, common), detail::chunk_of(b, common));
    if (detail::size_of(common) <= chunk) return detail::of_leaves(common);
    n = chunk;
  }
}

AXE_FN constexpr layout max_common_layout(layout const& a, layout const& b,
                                          step_budget steps = {}) {
  outcome<layout> const result = try_max_common_layout(a, b, steps);
  if (!result) detail::stop_on(result.why, "max_common_layout", {});
  return *result;
}
AXE_CUTE_LIFT(max_common_layout);

AXE_FN constexpr outcome<integer> try_max_common_vector(layout const& a, layout const& b,
                                                        step_budget steps = {}) {
  outcome<layout> const common = try_max_common_layout(a, b, steps);
  if (!common) return common.why;
  return detail::size_of(*common);
}
AXE_FN constexpr integer max_common_vector(layout const& a, layout const& b,
                                           step_budget steps = {}) {
  outcome<integer> const result = try_max_common_vector(a, b, steps);
  if (!result) detail::stop_on(result.why, "max_common_vector", {});
  return *result;
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
