// max_common_layout(A, B): the elements that lie next to each other in both, from element 0 on:
// A(R(i)) - A(0) = B(R(i)) - B(0) = i. max_common_vector(A, B): their number.
//
//     max_common_layout((8,4):(1,8), (8,4):(1,16))      8:1
//     max_common_vector((8,4):(4,1), (8,4):(4,1))       32      4:8 first, the same order in both
//     max_common_vector(Sw<3,3,3> o 0 o 512:1, 512:1)   8       rows move in runs of 2^3
//
// Offsets do not matter. Behind a swizzle no vector crosses a multiple of the largest power of two
// that divides 2^M, the offset and the strides that R leaves. Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// The first n elements, as far as the digits allow: the largest number up to n that is a product
/// of digits, the last one cut.
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

/// How many of the elements that `run` lists lie next to each other in A, digit by digit. A's
/// leaves are coalesced.
AXE_FN constexpr integer agreeing(layout const& a, leaf_list const& run, step_limit& steps) {
  integer used[capacity::shards]{};  // of each digit of A, so far
  integer n = 1;
  for (leaf const& r : run) {
    integer weight = 1;
    int k = 0;
    while (k < a.leaf_count() && r.stride >= weight * a[k].extent) weight *= a[k++].extent;
    if (k == a.leaf_count()) return n;
    if (r.stride % weight != 0) {  // across digits: element by element
      layout const all = of_leaves(run);
      for (; n < size_of(run); ++n) {
        steps.taken += a.leaf_count() + run.size();
        integer const element = place_of(all.map, n);
        if (!steps.take() || element >= size_of(a) || place_of(a.map, element) != n) return n;
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

/// The power of two that no vector of R's elements in L may cross; any number without a swizzle.
AXE_FN constexpr integer chunk_of(layout const& l, leaf_list const& r) {
  if (l.swizzle().none()) return largest;
  integer chunk = greatest_common_divisor(integer{1} << l.swizzle().M, l.offset());
  integer weight = 1;
  for (leaf const& d : coalesced(l)) {
    integer taken = 1;  // of this digit by R
    for (leaf const& part : r)
      if (part.stride >= weight && part.stride < weight * d.extent)
        taken = larger(taken, (part.extent - 1) * (part.stride / weight) + 1);
    if (taken < d.extent) chunk = greatest_common_divisor(chunk, d.stride * taken);
    weight *= d.extent;
  }
  return chunk;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_max_common_layout(layout const& one, layout const& other,
                                                       step_limit steps = {}) {
  for (layout const* l : {&one, &other})
    if (refusal const bad = check(*l)) return bad;
  layout const a = detail::as_plain(one);
  layout const b = detail::as_plain(other);
  leaf_list const run = detail::run_of(b, steps);
  integer n = detail::agreeing(detail::of_leaves(detail::coalesced(a)), run, steps);
  if (steps.taken > steps.allowed) return steps.refusal();
  for (;;) {
    leaf_list const common = detail::first_elements(run, n);
    integer const chunk = detail::smaller(detail::chunk_of(a, common), detail::chunk_of(b, common));
    if (detail::size_of(common) <= chunk) return detail::of_leaves(common);
    n = chunk;
  }
}
AXE_FN constexpr layout max_common_layout(layout const& a, layout const& b, step_limit steps = {}) {
  return detail::value_of(try_max_common_layout(a, b, steps), "max_common_layout");
}
AXE_CUTE_CARRIER_FORM(max_common_layout);

AXE_FN constexpr outcome<integer> try_max_common_vector(layout const& a, layout const& b,
                                                        step_limit steps = {}) {
  outcome<layout> const common = try_max_common_layout(a, b, steps);
  if (!common) return common.why;
  return detail::size_of(*common);
}
AXE_FN constexpr integer max_common_vector(layout const& a, layout const& b,
                                           step_limit steps = {}) {
  return detail::value_of(try_max_common_vector(a, b, steps), "max_common_vector");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
