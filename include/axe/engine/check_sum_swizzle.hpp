// SPDX-License-Identifier: MIT
// check_sum_swizzle(A, B): rejects operands unless f(a + b) = a + f(b) for B's swizzle f and all
// places a of A and b of B before f.
//
//     B = swizzle(3,3,3) o S[(64,64):(64,1)], a = 96      rejected: the swizzle reads bit 6 of 96
//
// Definition: docs/algebra.md, D11.
#pragma once

#include <axe/map/reach.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr refusal does_not_commute(axe::swizzle const& f, residue_sum const& outer,
                                               residue_sum const& inner) {
  integer wanted = f(inner.address);
  integer sum = inner.address;
  if (!add(wanted, outer.address) || !add(sum, outer.address))
    return {rule::result_places_overflow, {}, {axis::m}};
  return {rule::swizzle_does_not_commute,
          {outer.element, inner.element, outer.address, wanted, f(sum)}};
}

/// The bits below the period that may be 1 in the offset plus digits. If the sum may carry, all
/// bits from the lowest one up.
AXE_LAZY_FN constexpr integer possible_bits(residue_digits const& digits, integer offset,
                                            integer period) {
  integer bits = offset & (period - 1);
  for (residue_digit const& d : digits) {
    integer const last = d.stride < 0 ? period - 1 : smaller((d.extent - 1) * d.stride, period - 1);
    integer const more =
        ((integer{1} << ceil_log2(last + 1)) - 1) & -greatest_common_divisor(period, d.stride);
    integer const all = bits | more;
    bits = (bits & more) == 0 ? all : -(all & -all) & (period - 1);
  }
  return bits;
}

/// A power of two n: L's swizzle moves each range [n * i, n * (i + 1)) of L's addresses as a whole.
AXE_LAZY_FN constexpr integer kept_together(layout const& l) {
  axe::swizzle const f = l.swizzle;
  integer bits = possible_bits(digits_on_memory(l), l.offset(axis::m), f.period());
  integer kept = integer{1} << f.M;
  for (int b = 0; b < f.B && (bits >> (f.S > 0 ? f.S : 0) & kept) == 0; ++b) kept *= 2;
  return kept;
}

/// Precondition: A has no swizzle.
AXE_LAZY_FN constexpr refusal check_sum_swizzle(layout const& a, layout const& b,
                                                step_limit& steps) {
  if (b.swizzle.none()) return {};
  if (axis other = axis_beside_memory(a); !same(other, axis::null))
    return {rule::swizzled_inner_on_memory_only, {}, {other}};
  axe::swizzle const f = b.swizzle;
  integer const period = f.period();
  residue_digits const inner = digits_on_memory(b);
  residue_digits const outer = digits_on_memory(a);
  // Without carries, f commutes if it neither reads nor changes a bit of A.
  integer bits_a = possible_bits(outer, a.offset(axis::m), period);
  integer bits_b = possible_bits(inner, b.offset(axis::m), period);
  if (f(bits_a) == bits_a && (bits_a & (bits_b | f(bits_b))) == 0) return {};
  refusal found;
  auto const commute = [&](residue_sum const& of_a, residue_sum const& of_b) {
    integer const outer_rest = of_a.address % period;
    integer const inner_rest = of_b.address % period;
    if (!steps.take())
      found = steps.refusal();
    else if (f(outer_rest + inner_rest) != outer_rest + f(inner_rest))
      found = does_not_commute(f, of_a, of_b);
    return !found;
  };
  residue_sum const start{0, b.offset(axis::m), {}};
  // NVRTC rejects generic lambdas.
  auto const visit = [&](residue_sum const& outer_at) {
    return visit_residues(inner, 0, period, start,
                          [&](residue_sum const& inner_at) { return commute(outer_at, inner_at); });
  };
  visit_residues(outer, 0, period, {0, a.offset(axis::m), {}}, visit);
  return found;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
