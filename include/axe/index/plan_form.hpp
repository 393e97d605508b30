// SPDX-License-Identifier: MIT
// Decides how the registers of a plan are added up: swizzled one by one or as a sum, scaled or not.
//
//     f(a) ^ f(b), bits disjoint: split form     f(a + b): literal form     f: the swizzle
//     base + (sum << 4): scale 4                 base + low + (high << 7): two planes
//
// Of all forms that are exact for the layout, the one with the fewest instructions is chosen.
// Definition: docs/index_code.md, "The plan".
#pragma once

#include <axe/index/address_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Targets before sm_90 scale a register by 4, 8 or 16 inside a shared-memory address.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool addresses_scale = true;
#else
inline constexpr bool addresses_scale = false;
#endif

AXE_FN constexpr bool has_beyond(address_plan const& plan) {
  return plan.registers.count != 0 && plan.registers.back().plane == beyond;
}

AXE_FN constexpr bool masks_registers(address_plan const& plan) {
  for (int r = 0; r < plan.registers.count; ++r) {
    if (plan.registers[r].plan.form == evaluation::products)
      for (product_term const& p : plan.products(r))
        if (p.field != 0) return true;
    if (plan.registers[r].plan.form == evaluation::diagonals)
      for (diagonal_term const& d : plan.diagonals(r))
        if (d.mask != 0) return true;
  }
  return false;
}

/// The cost of swizzling a sum (a shift, a mask and an XOR; two in SASS) and of adding its start.
AXE_FN constexpr int cost_of_literal(integer start) {
  return (counts_as_host ? 4 : 5) + (start == 0 ? 0 : counts_as_host ? 1 : 2);
}
AXE_FN constexpr int cost_of_scale(int scale, bool pointers) {
  if (counts_as_host) return (pointers && scale == 0 ? 2 : 1) + (scale > 3);
  return scale != 0 ? 3 : pointers ? 4 : 2;  // ptxas makes one instruction of a shift and an add
}
/// The cost of an addition after a factor: 0 after a multiplication, 1 after a shift, else 2.
AXE_FN constexpr int addition_left(integer factor) {
  return !is_power_of_two(magnitude(factor)) ? 0 : factor == 1 ? 2 : 1;
}
AXE_FN constexpr int cost_of_beyond(address_plan const& plan) {
  int const scale = plan.scales[beyond];
  int least = 2;
  for (int k = 0; k < plan.registers.count; ++k) {
    planned_register const& r = plan.registers[k];
    if (r.plane != beyond) continue;
    if (r.plan.form == evaluation::quotients)
      for (quotient_term const& t : r.plan.quotients) {
        int const left = addition_left(t.weight >> scale);
        if (left < least) least = left;
      }
    if (r.plan.form == evaluation::products)
      for (product_term const& p : plan.products(k)) {
        int const left = addition_left(p.factor);
        if (left < least) least = left;
      }
  }
  return least + (scale != 0 ? 1 : 0);
}
/// True on hosts if the scale costs nothing.
AXE_FN constexpr bool scale_wins_ties(address_plan const& plan) {
  bool quotients = false;
  for (planned_register const& r : plan.registers)
    quotients = quotients || r.plan.form == evaluation::quotients;
  return counts_as_host && !plan.pointers && !quotients;
}

/// Step 4 of index/plan.hpp for the scales in the plan. Returns the cost.
AXE_FN constexpr int choose_evaluations(address_plan& plan) {
  int cost = plan.mode == swizzling::literal ? cost_of_literal(plan.start) : 0;
  for (int p = 0; p < plan.planes; ++p) cost += cost_of_scale(plan.scales[p], plan.pointers);
  bool masks = false;
  plan.reached = 0;
  for (int k = 0; k < plan.registers.count; ++k) {
    planned_register& r = plan.registers[k];
    bool const split = plan.splits(k);
    bool own_apart = true;
    register_bits seen = 0;
    for (int b = 0; b < r.plan.bits; ++b) {
      own_apart = own_apart && (seen & r.plan.columns[b]) == 0;
      seen |= r.plan.columns[b];
    }
    r.plan.reached = seen;
    plan.reached |= seen;
    cost +=
        choose_evaluation(r.plan, r.range, split, split || own_apart, plan.scales[r.plane]).sum();
    masks = masks || r.plan.form != evaluation::quotients;
  }
  if (has_beyond(plan)) cost += cost_of_beyond(plan);
  if (plan.mode == swizzling::literal)
    plan.reached = plan.plain | static_cast<register_bits>(plan.swizzle(plan.plain));
  // The address scales the sum itself. That saves a shift, and a second one if a register is
  // masked, because other addresses reuse the masked field.
  if (addresses_scale && plan.mode == swizzling::none && plan.scales[0] >= 2 && plan.scales[0] <= 4)
    cost -= masks ? 2 : 1;
  return cost;
}

/// Splits registers at bit `cut` into two planes. False if there are too many registers.
AXE_FN constexpr bool cut_planes(address_plan const& from, int cut, address_plan& to) {
  to = from;
  to.registers.clear();
  to.planes = 2;
  to.scales[1] = cut;
  register_bits const below = (register_bits{1} << cut) - 1;
  for (int plane = 0; plane < 2; ++plane)
    for (planned_register const& r : from.registers) {
      if (r.plane == beyond) continue;
      planned_register part = r;
      part.plane = plane;
      register_bits any = 0;
      for (register_bits& c : part.plan.columns) any |= c &= plane == 0 ? below : ~below;
      if (any != 0 && !to.registers.push(part)) return false;
    }
  for (planned_register const& r : from.registers)
    if (r.plane == beyond && !to.registers.push(r)) return false;
  return true;
}

AXE_FN constexpr void find_columns(planned_register& r) {
  integer columns[32]{};
  r.plan.bits = bits_of(r.range);
  r.plan.linear = columns_of(r.plan.quotients, r.plan.bits, columns);
  for (int b = 0; b < r.plan.bits && r.plan.linear; ++b)
    r.plan.columns[b] = static_cast<register_bits>(columns[b]);
}

AXE_FN constexpr register_bits bits_of_sum(register_bits a, register_bits b) {
  return a | b | ((a + b) ^ a ^ b);
}
AXE_FN constexpr register_bits possible_bits(address_plan const& plan) {
  register_bits bits = static_cast<register_bits>(plan.start);
  for (planned_register const& r : plan.registers) {
    if (r.plan.linear) {
      for (int b = 0; b < r.plan.bits; ++b) bits = bits_of_sum(bits, r.plan.columns[b]);
      continue;
    }
    register_bits weights = 0;
    for (quotient_term const& t : r.plan.quotients) weights |= static_cast<register_bits>(t.weight);
    bits = bits_of_sum(bits, ~register_bits{0} << lowest_bit(weights));
  }
  return bits;
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
/// The bits in `above` that are set in more than one column.
AXE_FN constexpr register_bits shared_above(address_plan const& plan, register_bits above) {
  register_bits once = 0;
  register_bits twice = 0;
  for (planned_register const& r : plan.registers)
    for (int b = 0; b < r.plan.bits && r.plan.linear; ++b) {
      twice |= once & r.plan.columns[b] & above;
      once |= r.plan.columns[b];
    }
  return twice;
}
AXE_FN constexpr bool swizzles_in_32_bits(address_plan const& plan) {
  return plan.swizzle(plan.plain) < integer{1} << 32;
}
/// Moves multiples of the period to the plane `beyond`. False if the rest is not linear and
/// disjoint.
AXE_FN constexpr bool cut_beyond(address_plan const& from, address_plan& to) {
  integer const period = from.swizzle.period();
  if (period >= integer{1} << 32) return false;
  register_bits const below = static_cast<register_bits>(period - 1);
  register_bits const twice = shared_above(from, ~below);
  to = from;
  to.mode = swizzling::split;
  to.registers.clear();
  to.plain = 0;
  list<planned_register, most_registers> past;
  for (planned_register const& r : from.registers) {
    planned_register under = r;
    planned_register over = r;
    over.plane = beyond;
    if (r.plan.linear) {
      for (int b = 0; b < r.plan.bits; ++b) {
        register_bits const column = r.plan.columns[b];
        over.plan.columns[b] = (column & twice) == 0 ? 0 : column & ~below;
        under.plan.columns[b] = column - over.plan.columns[b];
      }
      over.plan.quotients = quotients_of(over.plan.columns, r.plan.bits);
    } else {
      under.plan.quotients = {};
      over.plan.quotients = {};
      for (quotient_term const& t : r.plan.quotients)
        (t.weight % period == 0 ? over : under).plan.quotients.push(t);
      find_columns(under);
      if (!under.plan.linear) return false;
    }
    register_bits any = 0;
    for (int b = 0; b < under.plan.bits; ++b) {
      if ((to.plain & under.plan.columns[b]) != 0) return false;
      to.plain |= under.plan.columns[b];
      any |= under.plan.columns[b];
    }
    if (any != 0 && !to.registers.push(under)) return false;
    if (over.plan.quotients.count != 0 && !past.push(over)) return false;
  }
  for (planned_register const& r : past)
    if (!to.registers.push(r)) return false;
  return (to.start & (period - 1) & to.plain) == 0 && swizzles_in_32_bits(to);
}

/// log2 of the largest power of two that divides all terms of the registers of a plane.
AXE_FN constexpr int common_scale(address_plan const& plan, int plane) {
  integer all = 0;
  for (int k = 0; k < plan.registers.count; ++k) {
    planned_register const& r = plan.registers[k];
    if (r.plane != plane) continue;
    if (plan.splits(k))
      for (int b = 0; b < r.plan.bits; ++b) all |= r.plan.columns[b];
    else
      for (quotient_term const& t : r.plan.quotients) all |= t.weight;
  }
  int common = 0;
  while (all != 0 && (all >> common & 1) == 0) ++common;
  return common;
}

/// Step 4 for each scale, with one plane and with two. Keeps the cheapest and returns its cost.
AXE_FN constexpr int choose_scales(address_plan& plan) {
  if (plan.mode == swizzling::split)
    for (planned_register& r : plan.registers)
      for (int b = 0; b < r.plan.bits && r.plane != beyond; ++b)
        r.plan.columns[b] = static_cast<register_bits>(plan.swizzle(r.plan.columns[b]));
  int cost = choose_evaluations(plan);
  auto const consider = [&](address_plan& other) {
    int const then = choose_evaluations(other);
    if (then > cost || (then == cost && !scale_wins_ties(other))) return;
    cost = then;
    plan = other;
  };
  address_plan scaled = plan;
  scaled.scales[0] = common_scale(plan, 0);
  consider(scaled);
  if (int const cut = plan.swizzle.M + plan.swizzle.B;
      plan.mode == swizzling::split && plan.swizzle.S > 0 && cut < 32) {
    address_plan two;
    if (cut_planes(scaled, cut, two)) {
      consider(two);
      two.scales[0] = 0;
      consider(two);
    }
  }
  if (has_beyond(plan)) {
    scaled = plan;
    scaled.scales[beyond] = common_scale(plan, beyond);
    consider(scaled);
  }
  return cost;
}

AXE_FN constexpr void extend_span(integer& span, iter const& digit) {
  if (!add_product(span, digit.extent - 1, digit.stride))
    span = digit.stride < 0 ? smallest : largest;
}

/// For registers whose bits overlap: swizzles the whole sum, or only its part below the period,
/// whichever is cheaper. The latter wins a tie, because its uniform part joins the base.
AXE_FN constexpr void plan_overlapping(address_plan& plan) {
  address_plan past;
  bool const splits = cut_beyond(plan, past);
  plan.plain = possible_bits(plan);
  int const cost = choose_scales(plan);
  if (splits && choose_scales(past) <= cost) plan = past;
}

/// Does steps 3 and 4 of index/plan.hpp.
AXE_FN constexpr void plan_evaluations(address_plan& plan) {
  bool apart = true;
  bool linear = true;
  for (planned_register& r : plan.registers) {
    find_columns(r);
    linear = linear && r.plan.linear;
    for (int b = 0; b < r.plan.bits && r.plan.linear; ++b) {
      apart = apart && (plan.plain & r.plan.columns[b]) == 0;
      plan.plain |= r.plan.columns[b];
    }
  }
  bool const swizzled = !plan.swizzle.none();
  // The constants of the coordinates must not share bits with the registers.
  if (swizzled && (plan.start & (plan.swizzle.period() - 1) & plan.plain) != 0) apart = false;
  bool const splits = linear && apart && swizzles_in_32_bits(plan);
  plan.mode = !swizzled ? swizzling::none : splits ? swizzling::split : swizzling::literal;
  if (plan.mode == swizzling::literal)
    plan_overlapping(plan);
  else
    choose_scales(plan);
  for (dimension_run const& r : plan.runs)
    for (iter const& i : r.digits.fastest_first)
      extend_span(i.stride < 0 ? plan.fewest : plan.most, i);
  // The whole sum is divided, because a scale need not divide each stride.
  plan.fewest >>= plan.scales[0];
  plan.most >>= plan.scales[0];
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
