// SPDX-License-Identifier: MIT
// plan_address: makes an address plan.
//
// 1. Match the shape's dimensions with the layout's digits.
// 2. Add up parts that may carry. Turn sums and parts into weighted quotients.
// 3. Apply the swizzle (index/plan_evaluations.hpp).
// 4. Choose the cheapest evaluation of each register.
// Definition: docs/index_code.md, "The plan".
#pragma once

#include <axe/engine/digits.hpp>
#include <axe/index/plan_evaluations.hpp>
#include <axe/map/reach.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Replaces the terms of a digit (t / v) mod e by terms of its register t:
///
///     floor(((t / v) mod e) / b) = floor(t / (v*b)) - e/b * floor(t / (v*e))
AXE_FN constexpr bool telescope(part_data const& part, quotient_sum& terms) {
  quotient_sum of_register;
  for (quotient_term const& t : terms) {
    if (!part.needs_no_modulo() && part.extent % t.boundary != 0) return false;
    if (!add_term(of_register, t.boundary * part.divisor, t.weight)) return false;
    if (!part.needs_no_modulo() &&
        !add_term(of_register, part.divisor * part.extent, -t.weight * (part.extent / t.boundary)))
      return false;
  }
  terms = of_register;
  return true;
}

/// Adds a register, or only its terms if the plan has the register. Step 2 returns false if there
/// are too many registers or terms.
AXE_FN constexpr bool put_register(address_plan& plan, coordinate_parts const& coordinates,
                                   planned_register const& fresh) {
  if (fresh.quotients.count == 0 || fresh.range == 1) return true;
  for (planned_register& known : plan.registers)
    if (fresh.from == origin::raw && known.from == origin::raw &&
        coordinates.parts[fresh.index].shares_register(coordinates.parts[known.index])) {
      for (quotient_term const& t : fresh.quotients)
        if (!add_term(known.quotients, t.boundary, t.weight)) return false;
      return true;
    }
  return plan.registers.push(fresh);
}

/// Step 2 for part p. `step`: its step in the run's index.
AXE_FN constexpr bool plan_part(address_plan& plan, run_digits const& digits,
                                coordinate_parts const& coordinates, int p, integer step) {
  part_data const& part = coordinates.parts[p];
  integer const values_in_bounds = (digits.extent - 1) / step + 1;
  integer values = part.values();
  if (values == 0 || (values > values_in_bounds && part.extent == 0)) values = values_in_bounds;
  planned_register fresh;
  fresh.index = p;
  quotient_sum& terms = fresh.quotients;
  if (!terms_of_part(digits, step, values, terms)) {
    // Not a sum of quotients: the part becomes the register.
    terms = {};
    fresh.from = origin::part;
    fresh.weight = step / part.step;
    fresh.range = step * (smaller(values, values_in_bounds) - 1) + 1;
    if (!terms_of_part(digits, 1, fresh.range, terms)) return false;
  } else if (part.whole()) {
    fresh.range = values;
  } else if (telescope(part, terms)) {
    fresh.range = part.range;
  } else {
    fresh.from = origin::field;
    fresh.range = values;
  }
  return put_register(plan, coordinates, fresh);
}

/// Step 2 for a run.
AXE_FN constexpr bool plan_run(address_plan& plan, int run, coordinate_parts const& coordinates) {
  dimension_run& r = plan.runs.at[run];
  integer const constant = index_in_run(plan, r, [&](int d) { return coordinates.constants[d]; });
  run_digits const digits = plan.digits_of(r);
  r.added_up = remainders_of(digits, parts_of_run(plan, r, coordinates)).may_carry(constant);
  if (!r.added_up) {
    plan.start += address_at(digits, constant);
    for (int p = 0; p < coordinates.count; ++p)
      if (part_data const& part = coordinates.parts[p];
          r.holds(part.dimension) &&
          !plan_part(plan, digits, coordinates, p, part.step * plan.weights[part.dimension]))
        return false;
    return true;
  }
  planned_register sum{origin::sum, run, r.extent};
  return terms_of_part(digits, 1, r.extent, sum.quotients) && plan.registers.push(sum);
}

/// Steps 2 to 4.
AXE_FN constexpr void plan_registers(address_plan& plan, coordinate_parts const& coordinates) {
  if (coordinates.count > most_parts) plan.why = {rule::too_many_parts, {coordinates.count}};
  for (int r = 0; r < plan.runs.count && !plan.why; ++r)
    if (!plan_run(plan, r, coordinates)) plan.why = {rule::too_many_parts, {coordinates.count}};
  for (planned_register const& r : plan.registers)
    if ((r.from == origin::sum || r.from == origin::part) && r.range > (integer{1} << 32))
      plan.why = {rule::coordinate_sum_has_32_bits,
                  {r.from == origin::sum ? plan.runs.at[r.index].first
                                         : coordinates.parts[r.index].dimension,
                   r.range}};
  if (!plan.why) plan_evaluations(plan);
}

/// True if the swizzle changes any address up to `last`.
AXE_FN constexpr bool swizzle_acts(swizzle const& f, integer last) {
  return !f.none() && (last >> (f.M + (f.S > 0 ? f.S : 0))) != 0;
}

/// The smallest and largest address, rounded to whole periods if the swizzle changes addresses.
AXE_FN constexpr outcome<interval> bounds_of(layout const& l) {
  layout plain = l;
  plain.swizzle = {};
  outcome<interval> const reach = reach_of(plain, axis::m);
  if (reach.why || (reach->least >= 0 && !swizzle_acts(l.swizzle, reach->largest))) return reach;
  integer const period = l.swizzle.period();
  return interval{floor_divide(reach->least, period) * period,
                  floor_divide(reach->largest, period) * period + (period - 1)};
}

/// Step 1.
AXE_FN constexpr refusal plan_runs(address_plan& plan, layout const& l, shape const& s,
                                   integer bytes) {
  extent_list dimensions;
  if (refusal const bad = check(l)) return bad;
  if (refusal const bad = check_addresses(l)) return bad;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  outcome<interval> const reach = bounds_of(l);
  if (reach.why) return reach.why;
  if (integer const most = larger(magnitude(reach->least), magnitude(reach->largest));
      most >= integer{1} << 57)
    return {rule::sizes_leave_memory, {most}};
  plan.least_address = reach->least * bytes;
  plan.largest_address = (reach->largest + 1) * bytes - 1;
  plan.offset = l.offset(axis::m) * bytes;
  for (int d = 0; d < dimensions.count; ++d) plan.weights.push(1);
  if (!l.swizzle.none() && !is_power_of_two(bytes))
    return {rule::swizzle_packs_powers_of_two, {bytes}};
  if (!l.swizzle.none()) plan.swizzle = {l.swizzle.M + ceil_log2(bytes), l.swizzle.B, l.swizzle.S};
  return for_each_run(canonical_shards(l.shards), dimensions,
                      [&](int first, int count, iter_list const& block) {
                        dimension_run run;
                        run.first = first;
                        run.count = count;
                        run.first_digit = plan.digits.count;
                        run.digits = block.count;
                        for (int d = first + count - 1; d >= first; --d) {
                          plan.weights[d] = run.extent;
                          run.extent *= dimensions[d];
                        }
                        for (int k = block.count - 1; k >= 0; --k)
                          plan.digits.push({block[k].extent, block[k].stride * bytes, block[k].on});
                        plan.runs.push(run);
                        return refusal{};
                      });
}

AXE_FN constexpr address_plan plan_address(layout const& l, shape const& s, integer bytes,
                                           coordinate_parts const& coordinates) {
  address_plan plan;
  plan.why = plan_runs(plan, l, s, bytes);
  plan.start = plan.offset;
  if (!plan.why) plan_registers(plan, coordinates);
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
