// SPDX-License-Identifier: MIT
// Tests if a swizzle commutes with adding: f(a + b) = a + f(b) for all places a of A, b of B.
//
//     f = swizzle(3,1,3), inner 16:1, outer steps 16 and 32       yes
//     f = swizzle(3,3,3), inner (64,64):(64,1), outer 96          no: f reads bits of 96
//
// Only residues modulo the period are compared.
// Source: the definition, on every residue. Definition: docs/algebra.md, D11, D16.
#pragma once

#include <axe/map/reach.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A digit on m, cut after one period of its residues.
struct residue_digit {
  integer extent = 1;
  integer stride = 0;
  integer weight = 0;  // elements per step; 0 in R
};
using residue_list = list<residue_digit, capacity::shards + capacity::replicas>;

AXE_LAZY_FN constexpr void add_residues(iter const& i, integer weight, integer period,
                                        residue_list& digits) {
  if (i.on != axis::m || i.stride == 0 || i.extent == 1) return;
  integer const turn = period / greatest_common_divisor(period, i.stride);
  if (turn > 1) digits.push({smaller(i.extent, turn), i.stride, weight});
}

AXE_LAZY_FN constexpr residue_list residues_of(layout const& l, integer period) {
  residue_list digits;
  integer weight = product_of_extents(l.shards);
  for (iter const& i : l.shards) {
    weight /= i.extent;
    add_residues(i, weight, period, digits);
  }
  for (iter const& r : l.replicas) add_residues(r, 0, period, digits);
  return digits;
}

struct reached {
  integer element = 0;
  integer address = 0;
};

/// Visits all sums of the digits from k on, until visit returns false.
template <class Visit>
AXE_FN constexpr bool visit_sums(residue_list const& digits, int k, reached at,
                                 Visit const& visit) {
  if (k == digits.size()) return visit(at);
  for (integer c = 0; c < digits[k].extent; ++c)
    if (!visit_sums(digits, k + 1,
                    {at.element + c * digits[k].weight, at.address + c * digits[k].stride}, visit))
      return false;
  return true;
}

AXE_LAZY_FN constexpr refusal does_not_commute(axe::swizzle const& f, reached outer,
                                               reached inner) {
  integer should = f(inner.address);
  integer before = inner.address;
  if (!add(should, outer.address) || !add(before, outer.address))
    return {rule::result_places_overflow, {}, {axis::m}};
  return {rule::swizzle_does_not_commute,
          {outer.element, inner.element, outer.address, should, f(before)}};
}

/// A is plain; the swizzle is B's.
AXE_LAZY_FN constexpr refusal check_sum_swizzle(layout const& a, layout const& b,
                                                step_limit& steps) {
  if (b.swizzle.none()) return {};
  if (axis const other = moves_beside_memory(a); other != axis::null)
    return {rule::swizzled_inner_on_memory_only, {}, {other}};
  axe::swizzle const f = b.swizzle;
  integer const period = f.period();
  residue_list const inner = residues_of(b, period);
  refusal found;
  visit_sums(residues_of(a, period), 0, {0, a.offset(axis::m)}, [&](reached outer) {
    integer const moved = outer.address % period;
    return visit_sums(inner, 0, {0, b.offset(axis::m)}, [&](reached at) {
      if (!steps.take()) {
        found = steps.refusal();
        return false;
      }
      integer const address = at.address % period;
      if (f(moved + address) == moved + f(address)) return true;
      found = does_not_commute(f, outer, at);
      return false;
    });
  });
  return found;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
