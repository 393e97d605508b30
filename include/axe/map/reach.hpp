// SPDX-License-Identifier: MIT
// reach_of(L, a): a layout's smallest and largest place on axis a, after its swizzle.
//
//     swizzle(M=3,B=3,S=3) o S[(8,8):(64,1)]        [0, 455] before the swizzle, [0, 511] after it
//
// Definition: docs/algebra.md, D4, D16.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct residue_digit {
  integer extent = 1;
  integer stride = 0;
  integer weight = 0;  // elements per step; 0 in R
};
using residue_digits = list<residue_digit, capacity::shards + capacity::replicas>;

AXE_LAZY_FN constexpr residue_digits digits_on_memory(layout const& l) {
  residue_digits digits;
  auto const add = [&](iter const& i, integer weight) {
    if (i.is_on(axis::m) && i.extent > 1 && i.stride != 0)
      digits.push({i.extent, i.stride, weight});
  };
  integer weight = product_of_extents(l.shards);
  for (iter const& i : l.shards) add(i, weight /= i.extent);
  for (iter const& r : l.replicas) add(r, 0);
  return digits;
}

/// A sum of digits. It represents `count` sums whose addresses differ from `address` by whole
/// periods.
struct residue_sum {
  integer element = 0;
  integer address = 0;
  interval spread;          // these sums' distances from `address`
  stl::uint64_t count = 1;  // modulo 2^64
};

/// Calls visit for each residue_sum, until it returns false.
AXE_FN constexpr bool visit_residues(residue_digits const& digits, int k, integer period,
                                     residue_sum const& at, auto const& visit) {
  if (k == digits.count) return visit(at);
  residue_digit const& d = digits.at[k];
  // `turn` steps of this digit move the address by a whole number of periods.
  integer const turn = period / greatest_common_divisor(period, d.stride);
  for (integer c = 0; c < turn && c < d.extent; ++c) {
    integer const far = (d.extent - 1 - c) / turn * turn * d.stride;
    residue_sum const next{at.element + c * d.weight,
                           at.address + c * d.stride,
                           {at.spread.least + smaller(far, 0), at.spread.largest + larger(far, 0)},
                           at.count * static_cast<stl::uint64_t>((d.extent - 1 - c) / turn + 1)};
    if (!visit_residues(digits, k + 1, period, next, visit)) return false;
  }
  return true;
}

struct swizzled_reach {
  interval reached{largest, smallest};
  bool moves_an_address = false;
};

AXE_LAZY_FN constexpr refusal walk_swizzled(layout const& l, swizzled_reach& w, step_limit& steps) {
  residue_sum const start{0, l.offset(axis::m), {}};
  auto const visit = [&](residue_sum const& at) {
    if (!steps.take()) return false;
    integer const to = l.swizzle(at.address);
    w.moves_an_address = w.moves_an_address || to != at.address;
    w.reached = {smaller(w.reached.least, to + at.spread.least),
                 larger(w.reached.largest, to + at.spread.largest)};
    return true;
  };
  if (!visit_residues(digits_on_memory(l), 0, l.swizzle.period(), start, visit))
    return steps.refusal();
  return {};
}

AXE_LAZY_FN constexpr outcome<interval> reach_of(layout const& l, axis a, step_limit steps = {}) {
  if (!l.swizzle.none() && same(a, axis::m)) {
    swizzled_reach walked;
    if (refusal const bad = walk_swizzled(l, walked, steps)) return bad;
    return walked.reached;
  }
  return reach_before_swizzle(l, a);
}

AXE_LAZY_FN constexpr outcome<interval> try_reach(layout const& l, axis a) {
  if (axe::refusal const bad = check(l)) return bad;
  return reach_of(l, a);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
