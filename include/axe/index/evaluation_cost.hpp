// SPDX-License-Identifier: MIT
// choose_evaluation: the cheapest evaluation (index/evaluation.hpp) of a register's term. Costs
// count PTX and SASS instructions, in code for hosts, too.
#pragma once

#include <axe/index/evaluation.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Includes the addition to the sum, unless the product is the first.
AXE_FN constexpr int cost_of_factor(integer factor, bool first) {
  int const addition = first ? 0 : 1;
  if (factor == 1) return 2 * addition;
  // A shift and an addition are two PTX instructions, but one in SASS. A multiply-add is one in
  // both.
  return is_power_of_two(magnitude(factor)) ? 2 + addition : 2;
}

AXE_FN constexpr int cost_of_division(quotient_sum const& sum, int k, integer range) {
  integer const boundary = sum[k].boundary;
  if (boundary == 1) return 0;
  if (is_one_instruction(boundary, range) || quotient_below(sum, k, range) >= 0) return 1;
  return shift_before_reciprocal(boundary, range) >= 0 ? 2 : 4;
}
AXE_FN constexpr int cost_of_quotients(quotient_sum const& sum, integer range, int scale) {
  int cost = 0;
  for (int k = 0; k < sum.count; ++k) {
    integer const factor = sum[k].weight >> scale;
    cost += 2 * cost_of_division(sum, k, range) + cost_of_factor(factor, k == 0);
  }
  return cost;
}

AXE_FN constexpr int cost_of_products(product_list const& products, bool swizzled) {
  int cost = 0;
  for (int k = 0; k < products.count; ++k) {
    product_term const& p = products.at[k];
    int const field = (p.right_shift != 0) + (p.field != 0);
    // An addition merges with a multiplication before it.
    bool const merges =
        p.factor == 1 && k == 1 && !swizzled && !is_power_of_two(products.at[0].factor);
    // A multiply-add includes the addition, but not an XOR.
    bool const combines = swizzled && k != 0 && !is_power_of_two(p.factor);
    cost += 2 * (field + combines) + cost_of_factor(p.factor, k == 0 || merges);
  }
  return cost;
}

AXE_FN constexpr int cost_of_diagonals(diagonal_list const& diagonals) {
  int cost = 0;
  for (int k = 0; k < diagonals.count; ++k) {
    diagonal_term const& d = diagonals.at[k];
    bool const shifted = d.shift != 0;
    bool const masked = d.mask != 0;
    bool const combined = k != 0;
    // LOP3 masks and combines in one SASS instruction.
    cost += 2 * shifted + masked + combined + (masked || combined);
  }
  // ptxas combines four or more diagonals in pairs, with one more instruction.
  return cost + (diagonals.count > 3);
}
AXE_FN constexpr int choose_diagonals(planned_register& r, int scale, bool swizzled) {
  diagonal_list const forwards = find_diagonals(r, scale, swizzled);
  int const cost = cost_of_diagonals(forwards);
  if (forwards.count <= 3) return cost;
  r.reversed = true;
  constexpr int reversal = 2;
  int const backwards = reversal + cost_of_diagonals(find_diagonals(r, scale, swizzled));
  r.reversed = backwards < cost;
  return r.reversed ? backwards : cost;
}

/// Without a swizzle, diagonals are exact only if no two of r.columns share a bit (`disjoint`).
AXE_FN constexpr int choose_evaluation(planned_register& r, bool swizzled, bool disjoint,
                                       int scale) {
  r.reversed = false;
  r.computable[0] = !swizzled;
  r.computable[1] = r.linear;
  r.computable[2] = r.linear && (swizzled || disjoint);
  constexpr int none = 1 << 30;
  int costs[]{
      r.computable[0] ? cost_of_quotients(r.quotients, r.range, scale) : none,
      r.computable[1] ? cost_of_products(find_products(r, scale, swizzled), swizzled) : none,
      none,
  };
  // Diagonals cost at least 2, except t itself, which is also a product.
  if (r.computable[2] && (swizzled || (costs[0] > 2 && costs[1] > 2)))
    costs[2] = choose_diagonals(r, scale, swizzled);
  int least = none;
  // On a tie, diagonals win under a swizzle, otherwise products.
  constexpr int order[2][3] = {{1, 0, 2}, {2, 1, 0}};
  for (int form : order[swizzled ? 1 : 0])
    if (costs[form] < least) {
      least = costs[form];
      r.form = static_cast<evaluation>(form);
    }
  return least;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
