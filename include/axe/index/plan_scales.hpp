// SPDX-License-Identifier: MIT
// choose_scales: chooses the evaluation of each register, and the left shift (scale) of their sum.
//
//     base + (sum << 4)               one plane of scale 4
//     base + low + (high << 7)        two planes of scales 0 and 7
#pragma once

#include <axe/index/address_plan.hpp>
#include <axe/index/evaluation_cost.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Targets before sm_90 scale a register by 4, 8 or 16 inside a shared-memory address.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool addresses_scale = true;
#else
inline constexpr bool addresses_scale = false;
#endif

AXE_FN constexpr int cost_of_scale(int scale, bool pointers) {
  if (scale != 0) return 3;  // a shift and an addition: two PTX, one SASS instruction
  return pointers ? 4 : 2;
}

/// False if a column shares a bit with `seen` or another column.
AXE_FN constexpr bool add_columns(register_bits& seen, planned_register const& r) {
  bool disjoint = true;
  for (int b = 0; b < r.bits; ++b) {
    disjoint = disjoint && (seen & r.columns[b]) == 0;
    seen |= r.columns[b];
  }
  return disjoint;
}

AXE_FN constexpr int choose_evaluations(address_plan& plan) {
  int cost = 0;
  // A shift, a mask and an XOR are three PTX and two SASS instructions. Adding the start is one of
  // each.
  if (plan.mode == swizzling::of_sum) cost = plan.start == 0 ? 5 : 7;
  for (int p = 0; p < plan.planes; ++p) cost += cost_of_scale(plan.scales[p], plan.pointers);
  bool masks = false;
  plan.swizzled_bits = 0;
  for (int k = 0; k < plan.registers.count; ++k) {
    planned_register& r = plan.registers.at[k];
    r.column_bits = 0;
    bool const disjoint = add_columns(r.column_bits, r);
    plan.swizzled_bits |= r.column_bits;
    cost += choose_evaluation(r, plan.swizzles_register(k), disjoint, plan.scales[r.plane]);
    masks = masks || r.form != evaluation::quotients;
  }
  if (plan.mode == swizzling::of_sum)
    plan.swizzled_bits =
        plan.unswizzled_bits | static_cast<register_bits>(plan.swizzle(plan.unswizzled_bits));
  // The memory instruction includes the shift. If a register is masked, other addresses reuse the
  // masked value, which saves another instruction.
  if (addresses_scale && plan.mode == swizzling::none && plan.scales[0] >= 2 && plan.scales[0] <= 4)
    cost -= masks ? 2 : 1;
  return cost;
}

/// Moves bits from `cut` upwards to plane 1. False if there are too many registers.
AXE_FN constexpr bool cut_planes(address_plan const& from, int cut, address_plan& to) {
  to = from;
  to.registers.clear();
  to.planes = 2;
  to.scales[1] = cut;
  register_bits const below = lowest_bits(cut);
  for (int plane = 0; plane < 2; ++plane)
    for (planned_register const& r : from.registers) {
      if (r.plane == beyond) continue;
      planned_register part = r;
      part.plane = plane;
      register_bits any = 0;
      for (register_bits& column : part.columns) {
        column &= plane == 0 ? below : ~below;
        any |= column;
      }
      if (any != 0 && !to.registers.push(part)) return false;
    }
  for (planned_register const& r : from.registers)
    if (r.plane == beyond && !to.registers.push(r)) return false;
  return true;
}

/// Returns log2 of the largest power of two that divides all terms of plane 0.
AXE_FN constexpr int common_scale(address_plan const& plan) {
  integer all = 0;
  for (int k = 0; k < plan.registers.count; ++k) {
    planned_register const& r = plan.registers.at[k];
    if (r.plane != 0) continue;
    if (plan.swizzles_register(k))
      for (int b = 0; b < r.bits; ++b) all |= r.columns[b];
    else
      for (quotient_term const& t : r.quotients) all |= t.weight;
  }
  return ceil_log2(all & -all);
}

AXE_FN constexpr int choose_scales(address_plan& plan) {
  if (plan.mode == swizzling::per_register)
    for (planned_register& r : plan.registers)
      for (int b = 0; b < r.bits && r.plane != beyond; ++b)
        r.columns[b] = static_cast<register_bits>(plan.swizzle(r.columns[b]));
  int cost = choose_evaluations(plan);
  int const scale = common_scale(plan), cut = plan.swizzle.M + plan.swizzle.B;
  bool const cuts = plan.mode == swizzling::per_register && plan.swizzle.S > 0 && cut < 32;
  if (scale == 0 && !cuts) return cost;
  plan.scales[0] = scale;
  if (int const scaled = choose_evaluations(plan); scaled < cost) {
    cost = scaled;
  } else {
    plan.scales[0] = 0;
    choose_evaluations(plan);
  }
  if (!cuts) return cost;
  address_plan two;
  if (!cut_planes(plan, cut, two)) return cost;
  int const scales[]{scale, 0};
  for (int const below : scales) {
    two.scales[0] = below;
    if (int const cost_of_two = choose_evaluations(two); cost_of_two < cost) {
      cost = cost_of_two;
      plan = two;
    }
  }
  return cost;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
