// SPDX-License-Identifier: MIT
// The addresses of an access, and the instructions whose cost is counted.
//
//     L(P(i)) = f(base + D(P(i)))      L: layout, P: pattern, i = (instruction, lane, value)
#pragma once

#include <axe/analysis/access.hpp>
#include <axe/engine/compose_digits.hpp>
#include <axe/engine/memory_digits.hpp>
#include <axe/map/reach.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct access_addresses {
  iter_list digits;  // of D(P(i)) if `direct`, otherwise of D
  iter_list pattern;
  axe::swizzle pattern_swizzle{};
  integer pattern_base = 0;
  axe::swizzle f{};
  integer base = 0;
  integer values;
  bool direct = false;      // D(P(i)) has digits
  bool contiguous = false;  // vectors at multiples of their size are contiguous

  AXE_FN constexpr access_addresses(layout const& l, access_pattern const& a)
      : f(l.swizzle), base(l.offset(axis::m)), values(a.values) {
    iter_list const memory = canonical_shards(l.shards);
    pattern = canonical_shards(a.elements.shards);
    pattern_swizzle = a.elements.swizzle;
    pattern_base = a.elements.offset(axis::m);
    digit_builder nested;
    direct = pattern_swizzle.none() && pattern_base == 0 &&
             compose_digits(memory, pattern, nested) && nested.left_out == 0;
    digits = direct ? nested.done : memory;
    contiguous = values == 1 || (direct && !digits.empty() && digits.back().stride == 1 &&
                                 digits.back().extent % values == 0 &&
                                 (f.none() || values <= (integer{1} << f.M)));
  }

  AXE_FN constexpr integer plain(integer i) const {
    return base + sum_of_digits(digits, direct ? i : element(i));
  }
  AXE_FN constexpr integer element(integer i) const {
    return pattern_swizzle(pattern_base + sum_of_digits(pattern, i));
  }

  /// Rejects a vector that is not contiguous or not aligned. `shift` selects a replica.
  AXE_FN constexpr refusal vector_at(integer i, integer shift, integer& address) const {
    address = f(plain(i) + shift);
    if (values == 1) return {};
    if (floor_divide(address, values) * values != address)
      return {rule::access_not_aligned, {values, element(i), address}};
    if (contiguous) return {};
    for (integer j = 1; j < values; ++j)
      if (f(plain(i + j) + shift) != address + j)
        return {rule::access_not_contiguous, {values, element(i)}};
    return {};
  }
};

/// Calls visit(first, count, lanes) for `count` instructions with equal starts modulo q, one of
/// them `first`, until it returns a refusal. Precondition: without a swizzle, shifting all
/// addresses by `unit`, a power of two, keeps the counts.
AXE_FN constexpr refusal for_each_instruction(access_addresses const& at, access_pattern const& a,
                                              access_counts const& n, integer unit,
                                              auto const& visit) {
  integer const chunk = integer{a.lanes} * a.values;
  integer const size = n.vectors * a.values;
  // q is a multiple of both, because they are powers of two.
  integer const q = at.f.none() ? unit : larger(unit, at.f.period());
  digit_boundaries const boundaries(at.digits);
  iter_list slow;
  if (at.direct && n.sweep % a.lanes == 0 && boundaries.cuts_at(chunk) &&
      boundaries.emit_between(chunk, size, slow)) {
    residue_digits starts;
    integer below = product_of_extents(slow);  // instructions in one step
    for (iter const& i : slow) starts.push({i.extent, i.stride, below /= i.extent});
    refusal bad;
    visit_residues(starts, 0, q, {}, [&](residue_sum const& these) {
      bad = visit(these.element * chunk, static_cast<integer>(these.count), a.lanes);
      return !bad;
    });
    return bad;
  }
  for (integer s = 0; s < n.sweeps; ++s)
    for (integer i = 0; i < n.in_a_sweep; ++i) {
      integer const left = n.sweep - i * a.lanes;
      int const lanes = left < a.lanes ? static_cast<int>(left) : a.lanes;
      integer const first = (s * n.sweep + i * a.lanes) * a.values;
      if (refusal const bad = visit(first, integer{1}, lanes)) return bad;
    }
  return {};
}

/// A shift is a replica's distance from the replica with digits 0.
AXE_FN constexpr refusal for_each_replica(layout const& l, step_limit& steps, auto const& visit) {
  sum_set const shifts = sums_on(l.replicas, axis::m);
  for (integer shift = shifts.least; shift != sum_set::none;
       shift = shifts.at_least(shift + 1, steps)) {
    if (refusal const bad = visit(shift)) return bad;
    if (!steps.take()) return steps.refusal();
    if (shift == shifts.largest()) return {};
  }
  return steps.refusal();  // at_least reached the limit
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
