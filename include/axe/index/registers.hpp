// SPDX-License-Identifier: MIT
// add_registers: the run-time part of an address, the sum of the terms of a plan's registers.
//
//     1024*y + 2048*x                   one plane of scale 10: (y + 2*x) << 10
#pragma once

#include <axe/index/contribution.hpp>
#include <axe/index/sums.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class Plan, int First, int... D>
AXE_FN constexpr unsigned run_value(auto const& s, indices<D...>) {
  return (... + (sum_number<First + D>(s)() *
                 static_cast<unsigned>(as_constant<Plan::value.weights.at[First + D]>)));
}

template <class Plan, int R> AXE_FN constexpr unsigned register_of(auto const& s) {
  constexpr origin from = register_plan<Plan, R>.from;
  constexpr int number = register_plan<Plan, R>.index;
  if constexpr (from == origin::sum) {
    constexpr int first = Plan::value.runs.at[number].first;
    return run_value<Plan, first>(s, indices_to<Plan::value.runs.at[number].count>{});
  } else if constexpr (from == origin::raw) {
    return part_number<number>(s).value;
  } else if constexpr (from == origin::field) {
    return part_number<number>(s).field();
  } else {
    return part_number<number>(s)() *
           static_cast<unsigned>(as_constant<register_plan<Plan, R>.weight>);
  }
}

/// True if register r is XORed into the sum of its plane. Disjoint bits are added, because
/// compilers merge additions.
AXE_FN constexpr bool combines_by_xor(address_plan const& plan, int r) {
  if (!plan.swizzles_register(r)) return false;
  register_bits before = 0;
  for (int k = 0; k < r; ++k)
    if (plan.registers.at[k].plane == plan.registers.at[r].plane)
      before |= plan.registers.at[k].column_bits;
  return (before & plan.registers.at[r].column_bits) != 0;
}
/// The first register of `plane` or above. Registers are sorted by plane.
AXE_FN constexpr int first_of_plane(address_plan const& plan, int plane) {
  int r = 0;
  while (r < plan.registers.count && plan.registers.at[r].plane < plane) ++r;
  return r;
}

/// Returns k if the term is 2^k times the register, else 0.
AXE_FN constexpr int whole_shift(address_plan const& plan, int r) {
  planned_register const& p = plan.registers.at[r];
  integer factor = 1;
  if (p.form == evaluation::quotients && p.quotients.count == 1 && p.quotients.at[0].boundary == 1)
    factor = p.quotients.at[0].weight >> plan.scales[0];
  if (p.form == evaluation::products)
    if (product_list const products = plan.products(r);
        products.count == 1 && products[0].right_shift == 0 && products[0].field == 0)
      factor = products[0].factor;
  return is_power_of_two(factor) ? ceil_log2(factor) : 0;
}
template <class Plan, class Index, int R> AXE_FN constexpr Index add_register(auto const& s) {
  return contribution<Plan, R, Index>(register_of<Plan, R>(s));
}

/// Adds up a plane's registers below End, divided by 2^scale.
template <class Plan, class Index, int Plane, int End = first_of_plane(Plan::value, Plane + 1)>
AXE_FN constexpr Index add_plane(auto const& s) {
  if constexpr (End == first_of_plane(Plan::value, Plane)) {
    return 0;
  } else {
    Index const term = add_register<Plan, Index, End - 1>(s);
    if constexpr (combines_by_xor(Plan::value, End - 1))
      return add_plane<Plan, Index, Plane, End - 1>(s) ^ term;
    else
      return add_plane<Plan, Index, Plane, End - 1>(s) + term;
  }
}

template <class Plan, class Index, int Plane>
AXE_FN constexpr Index scaled_plane(auto const& coordinates) {
  return add_plane<Plan, Index, Plane>(coordinates) << as_constant<Plan::value.scales[Plane]>;
}
template <class Plan, class Index> AXE_FN constexpr Index add_registers(auto const& coordinates) {
  if constexpr (first_of_plane(Plan::value, 1) == Plan::value.registers.count)
    return scaled_plane<Plan, Index, 0>(coordinates);
  else
    return scaled_plane<Plan, Index, beyond>(coordinates) +
           (scaled_plane<Plan, Index, 0>(coordinates) + scaled_plane<Plan, Index, 1>(coordinates));
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
