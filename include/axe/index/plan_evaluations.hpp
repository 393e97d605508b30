// SPDX-License-Identifier: MIT
// plan_evaluations: decides whether a plan applies its swizzle f to registers a, b or to their sum,
// and chooses evaluations.
//
//     f(a) ^ f(b)      `per_register`, if a and b have no bit in common
//     f(a + b)         `of_sum`
//     f(a) + k*P       multiples of f's period P are added after the swizzle
#pragma once

#include <axe/index/plan_scales.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The bits that x + y may set if x sets only bits of a, and y only bits of b.
AXE_FN constexpr register_bits bits_of_sum(register_bits a, register_bits b) {
  return a | b | ((a + b) ^ a ^ b);
}
AXE_FN constexpr register_bits possible_bits(address_plan const& plan) {
  register_bits bits = static_cast<register_bits>(plan.start);
  for (planned_register const& r : plan.registers) {
    if (r.linear) {
      for (int b = 0; b < r.bits; ++b) bits = bits_of_sum(bits, r.columns[b]);
      continue;
    }
    register_bits weights = 0;
    for (quotient_term const& t : r.quotients) weights |= static_cast<register_bits>(t.weight);
    bits = bits_of_sum(bits, ~lowest_bits(lowest_bit(weights)));
  }
  return bits;
}
AXE_FN constexpr bool can_swizzle_registers(address_plan const& plan) {
  return (plan.start & (plan.swizzle.period() - 1) & plan.unswizzled_bits) == 0 &&
         plan.swizzle(plan.unswizzled_bits) < integer{1} << 32;
}

AXE_FN constexpr quotient_sum quotients_of(register_bits const (&columns)[32], int bits) {
  quotient_sum sum;
  integer last = 0;
  for (int b = 0; b < bits; ++b) {
    integer const column = columns[b];
    add_term(sum, integer{1} << b, column - 2 * last);
    last = column;
  }
  return sum;
}
/// The bits of `above` that several columns set.
AXE_FN constexpr register_bits shared_above(address_plan const& plan, register_bits above) {
  register_bits once = 0;
  register_bits twice = 0;
  for (planned_register const& r : plan.registers)
    for (int b = 0; b < r.bits; ++b) {
      twice |= once & r.columns[b] & above;
      once |= r.columns[b];
    }
  return twice;
}
/// Moves multiples of the period from `under` to `past`. If `under` is linear, only columns with
/// bits in `shared` move. False if the rest is not linear.
AXE_FN constexpr bool move_multiples(planned_register& under, planned_register& past,
                                     integer period, register_bits shared) {
  past = under;
  past.plane = beyond;
  if (under.linear) {
    for (int b = 0; b < under.bits; ++b) {
      register_bits& column = under.columns[b];
      register_bits const moved =
          (column & shared) == 0 ? 0 : column & ~static_cast<register_bits>(period - 1);
      past.columns[b] = moved;
      column -= moved;
    }
    past.quotients = quotients_of(past.columns, past.bits);
    return true;
  }
  quotient_sum const all = under.quotients;
  under.quotients = {};
  past.quotients = {};
  for (quotient_term const& t : all) (t.weight % period == 0 ? past : under).quotients.push(t);
  find_columns(under);
  return under.linear;
}
/// Moves multiples of the period to plane `beyond`. False unless the columns of the rest are
/// disjoint.
AXE_FN constexpr bool cut_beyond(address_plan const& from, address_plan& to) {
  integer const period = from.swizzle.period();
  if (period >= integer{1} << 32) return false;
  register_bits const shared = shared_above(from, ~static_cast<register_bits>(period - 1));
  to = from;
  to.mode = swizzling::per_register;
  to.registers.clear();
  to.unswizzled_bits = 0;
  list<planned_register, most_registers> multiples;
  for (planned_register under : from.registers) {
    planned_register past;
    if (!move_multiples(under, past, period, shared)) return false;
    register_bits const before = to.unswizzled_bits;
    if (!add_columns(to.unswizzled_bits, under)) return false;
    if (to.unswizzled_bits != before && !to.registers.push(under)) return false;
    if (past.quotients.count != 0 && !multiples.push(past)) return false;
  }
  for (planned_register const& r : multiples)
    if (!to.registers.push(r)) return false;
  return can_swizzle_registers(to);
}

/// Swizzles the whole sum or, if that costs no more, each register without its multiples of the
/// period.
AXE_FN constexpr void plan_overlapping(address_plan& plan) {
  address_plan past;
  bool const splits = cut_beyond(plan, past);
  plan.unswizzled_bits = possible_bits(plan);
  int const cost = choose_scales(plan);
  if (splits && choose_scales(past) <= cost) plan = past;
}

/// Steps 3 and 4 of index/plan_address.hpp.
AXE_FN constexpr void plan_evaluations(address_plan& plan) {
  bool disjoint = true;
  bool linear = true;
  for (planned_register& r : plan.registers) {
    find_columns(r);
    linear = linear && r.linear;
    if (!add_columns(plan.unswizzled_bits, r)) disjoint = false;
  }
  if (!plan.swizzle.none()) {
    bool const splits = linear && disjoint && can_swizzle_registers(plan);
    plan.mode = splits ? swizzling::per_register : swizzling::of_sum;
  }
  if (plan.mode == swizzling::of_sum)
    plan_overlapping(plan);
  else
    choose_scales(plan);
  for (iter const& i : plan.digits)
    if (integer& span = i.stride < 0 ? plan.smallest_sum : plan.largest_sum;
        !add_product(span, i.extent - 1, i.stride))
      span = i.stride < 0 ? smallest : largest;
  // Shifts the totals, because 2^scales[0] need not divide each stride.
  plan.smallest_sum >>= plan.scales[0];
  plan.largest_sum >>= plan.scales[0];
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
