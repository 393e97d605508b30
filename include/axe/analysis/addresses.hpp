// SPDX-License-Identifier: MIT
// The addresses of an access, and a loop that visits instructions of equal cost once.
//
//     L(P(i)) = f(base + D(P(i)))      L: layout, f: its swizzle, P: pattern,
//                                      i = (instruction, lane, value)
#pragma once

#include <axe/analysis/access.hpp>
#include <axe/engine/compose_digits.hpp>

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
  bool direct = false;      // D(P(i)) is itself a list of digits
  bool contiguous = false;  // every aligned vector is contiguous

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
    contiguous = direct && !digits.empty() && digits.back().stride == 1 &&
                 digits.back().extent % values == 0 && (f.none() || values <= (integer{1} << f.M));
  }

  AXE_FN constexpr integer before_swizzle(integer i) const {
    return base + sum_of_digits(digits, direct ? i : element(i));
  }
  AXE_FN constexpr integer element(integer i) const {
    return pattern_swizzle(pattern_base + sum_of_digits(pattern, i));
  }

  AXE_FN constexpr refusal vector_at(integer i, integer shift, integer& address) const {
    address = f(before_swizzle(i) + shift);
    if (values == 1) return {};
    if (floor_divide(address, values) * values != address)
      return {rule::access_not_aligned, {values, element(i), address}};
    if (contiguous) return {};
    for (integer j = 1; j < values; ++j)
      if (f(before_swizzle(i + j) + shift) != address + j)
        return {rule::access_not_contiguous, {values, element(i)}};
    return {};
  }
  /// Addresses of `lanes` vectors from element i on.
  AXE_FN constexpr refusal vectors_at(integer i, int lanes, integer shift, step_limit& steps,
                                      integer* addresses) const {
    for (int lane = 0; lane < lanes; ++lane) {
      if (!steps.take()) return steps.refusal();
      if (refusal const bad = vector_at(i + lane * values, shift, addresses[lane])) return bad;
    }
    return {};
  }
};

/// Cuts the elements into blocks of whole instructions. The addresses of two blocks differ only by
/// a constant.
struct instruction_blocks {
  integer block = 0;               // elements of a block
  integer elements_in_blocks = 0;  // elements after these are in no block
  residue_digits starts{};         // addresses of the blocks' first elements

  /// Finds the smallest block of at most half the elements.
  AXE_FN constexpr instruction_blocks(iter_list const& digits, integer instruction_elements) {
    digit_boundaries const b(digits);
    integer const size = b.positions.at[0];
    for (int k = digits.count; k > 0; --k) {
      integer const below = b.positions.at[k];
      block = instruction_elements / greatest_common_divisor(instruction_elements, below);
      if (!multiply(block, below) || block > size / 2) return;
      int const j = b.first_below(block + 1);
      integer const bottom = b.positions.at[j + 1];
      integer const times = b.positions.at[j] / block;
      if (block % bottom != 0 || (j > 0 && times * block != b.positions.at[j])) continue;
      for (int i = 0; i < j; ++i)
        starts.push({digits.at[i].extent, digits.at[i].stride, b.positions.at[i + 1]});
      starts.push({times, digits.at[j].stride * (block / bottom), block});
      elements_in_blocks = j > 0 ? size : times * block;
      return;
    }
  }
};

/// Calls visit(shift) for each replica. The replica adds `shift` to the address before the swizzle.
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

/// Calls visit(vector, count, lanes, addresses) until it returns a refusal. A call stands for
/// `count` instructions of equal cost, one of which begins at `vector`. Precondition: adding
/// `unit`, a power of two, to all addresses keeps the cost.
AXE_FN constexpr refusal for_each_instruction(layout const& l, access_pattern const& a,
                                              access_counts const& n, integer unit,
                                              step_limit& steps, auto const& visit) {
  access_addresses const at(l, a);
  auto const visit_lanes = [&](integer first, integer count, integer elements, integer shift) {
    integer addresses[32]{};
    int const lanes = static_cast<int>(elements / a.values);
    refusal const bad = at.vectors_at(first, lanes, shift, steps, addresses);
    return bad ? bad : visit(first / a.values, count, lanes, addresses);
  };
  integer const instruction_elements = integer{a.lanes} * a.values;
  integer const cost_period = at.f.none() ? unit : larger(unit, at.f.period());
  digit_boundaries const boundaries(at.digits);
  // A pass covers one sweep, or the tile if sweeps and digits end where instructions do.
  bool const spans_sweeps =
      at.direct && n.sweep % a.lanes == 0 && boundaries.cuts_at(instruction_elements);
  integer const size = n.vectors * a.values;
  integer const in_pass = spans_sweeps ? size : n.sweep * a.values;
  iter_list digits;
  if (at.direct && boundaries.cuts_at(in_pass)) boundaries.emit_between(1, in_pass, digits);
  instruction_blocks const blocks(digits, instruction_elements);
  return for_each_replica(l, steps, [&](integer shift) {
    refusal bad;
    for (integer begin = 0; begin < size && !bad; begin += in_pass) {
      if (blocks.elements_in_blocks > 0)
        visit_residues(blocks.starts, 0, cost_period, {}, [&](residue_sum const& alike) {
          for (integer i = 0; i < blocks.block && !bad; i += instruction_elements)
            bad = visit_lanes(begin + alike.element + i, static_cast<integer>(alike.count),
                              instruction_elements, shift);
          return !bad;
        });
      for (integer left = in_pass - blocks.elements_in_blocks; left > 0 && !bad;
           left -= instruction_elements)
        bad = visit_lanes(begin + in_pass - left, 1, smaller(instruction_elements, left), shift);
    }
    return bad;
  });
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
