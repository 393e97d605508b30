// SPDX-License-Identifier: MIT
// max_common_layout(A, B): the elements R that are contiguous in A and B:
// A(R(i)) - A(0) = B(R(i)) - B(0) = i. max_common_vector(A, B): the size of R.
//
//     max_common_layout((8,4):(1,8), (8,4):(1,16))      8:1
#pragma once

#include <axe/algebra/compose.hpp>
#include <axe/cute/right_inverse.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Counts the elements of `run` that are contiguous in A before its swizzle.
AXE_FN constexpr integer contiguous_count(axe::layout a, memory_digits const& run,
                                          step_limit& steps) {
  a.swizzle = {};
  a.offsets.clear();
  outcome<axe::layout> const composed = axe::try_compose(a, *run.behind({}, 0), steps);
  if (composed) {
    iter_list const& digits = composed->shards;
    return digits.empty() || digits.back().stride != 1 ? 1 : digits.back().extent;
  }
  integer n = 1;
  while (n < run.size && steps.take(1 + a.shards.size()) &&
         sum_of_digits(a.shards, sum_of_digits(run.digits, n)) == n)
    ++n;
  return n;
}

/// The swizzle keeps aligned runs of 2^M addresses contiguous. Returns how many of the elements r
/// lie in one such run.
AXE_FN constexpr integer contiguous_chunk(axe::layout const& l, iter_list const& r) {
  if (l.swizzle.none()) return largest;
  integer chunk = greatest_common_divisor(integer{1} << l.swizzle.M, l.offset(axis::m));
  integer weight = 1;
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    iter const& d = l.shards[k];
    integer extent_in_r = 1;
    for (iter const& part : r)
      if (part.stride >= weight && part.stride < weight * d.extent)
        extent_in_r = larger(extent_in_r, (part.extent - 1) * (part.stride / weight) + 1);
    if (extent_in_r < d.extent) chunk = greatest_common_divisor(chunk, d.stride * extent_in_r);
    weight *= d.extent;
  }
  return chunk;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_max_common_layout(layout const& a, layout const& b,
                                                       step_limit steps = {}) {
  using namespace detail;
  for (layout const* l : {&a, &b})
    if (refusal const bad = check(*l)) return bad;
  bool const swaps = size_of(a) < size_of(b);  // the run stays inside the larger layout
  axe::layout const one = as_plain(swaps ? b : a);
  axe::layout const other = as_plain(swaps ? a : b);
  memory_digits const run = run_of(other);
  integer n = contiguous_count(one, run, steps);
  if (steps.spent()) return steps.refusal();
  for (;;) {
    memory_digits const common = first_digits(run, n);
    integer const chunk =
        smaller(contiguous_chunk(one, common.digits), contiguous_chunk(other, common.digits));
    if (common.size <= chunk) return flat(common.behind({}, 0).value);
    n = chunk;
  }
}
AXE_FN constexpr layout max_common_layout(layout const& a, layout const& b) {
  return detail::stop_on(try_max_common_layout(a, b), "max_common_layout");
}

AXE_FN constexpr outcome<integer> try_max_common_vector(layout const& a, layout const& b,
                                                        step_limit steps = {}) {
  outcome<layout> const common = try_max_common_layout(a, b, steps);
  if (common.why) return common.why;
  return detail::size_of(*common);
}
AXE_FN constexpr integer max_common_vector(layout const& a, layout const& b) {
  return detail::stop_on(try_max_common_vector(a, b), "max_common_vector");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
