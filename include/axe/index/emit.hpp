// SPDX-License-Identifier: MIT
// contribution<Plan, R>(t): the term of register R of an address plan, for its value t.
//
//     quotients    ((t / 16) * 200 + (t / 4) * 30) + t * 2
#pragma once

#include <axe/index/plan_address.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int... Each> using indices = integers<Each...>;
template <int Count> using indices_to = integers_to<Count>;

/// A variable, because nvcc would read the whole plan per use of a member.
template <class Plan, int R>
inline constexpr planned_register register_plan = Plan::value.registers.at[R];

/// Returns floor(t / boundary J), from the quotient of a smaller boundary if that is shorter.
template <class Plan, int R, int J> AXE_FN constexpr unsigned quotient_number(unsigned t) {
  constexpr integer boundary = register_plan<Plan, R>.quotients.at[J].boundary;
  constexpr integer range = register_plan<Plan, R>.range;
  constexpr int below = quotient_below(register_plan<Plan, R>.quotients, J, range);
  if constexpr (below < 0) {
    return quotient<boundary, range>(t);
  } else {
    constexpr integer faster = register_plan<Plan, R>.quotients.at[below].boundary;
    return quotient<boundary / faster, (register_values(range) - 1) / faster + 1>(
        quotient_number<Plan, R, below>(t));
  }
}
template <class Plan, int R> AXE_FN constexpr bool has_negative_weight() {
  for (quotient_term const& t : register_plan<Plan, R>.quotients)
    if (t.weight < 0) return true;
  return false;
}
template <class Plan, int R>
inline constexpr bool fastest_first = counts_as_host && !has_negative_weight<Plan, R>();
/// On hosts a second pass (Subtracted) subtracts negative terms: otherwise g++ widens a difference
/// too early. Hosts compute 7 * q as 8 * q - q, because x86-64 addresses scale by 8.
template <class Plan, int R, class Index, int Down, int J, bool Subtracted>
AXE_FN constexpr Index with_quotient(Index sum, unsigned t) {
  constexpr integer weight = register_plan<Plan, R>.quotients.at[J].weight >>
                             (Plan::value.scales[register_plan<Plan, R>.plane] + Down);
  if constexpr ((counts_as_host && weight < 0) != Subtracted) {
    return sum;
  } else {
    Index const quotient = static_cast<Index>(quotient_number<Plan, R, J>(t));
    if constexpr (Subtracted)
      return sum - quotient * static_cast<Index>(-weight);
    else if constexpr (weight == 7 && fastest_first<Plan, R>)
      return sum + quotient * 8 - quotient;
    else
      return sum + quotient * static_cast<Index>(weight);
  }
}
template <class Plan, int R, class Index, int Down, int... J>
AXE_FN constexpr Index sum_quotients(unsigned t, indices<J...>) {
  constexpr int last = int{sizeof...(J)} - 1;
  Index sum = 0;
  // Unless fastest_first, the slowest quotient comes first: it is known earliest, or most threads
  // share it.
  constexpr bool upwards = fastest_first<Plan, R>;
  ((sum = with_quotient<Plan, R, Index, Down, upwards ? J : last - J, false>(sum, t)), ...);
  if constexpr (counts_as_host)
    ((sum = with_quotient<Plan, R, Index, Down, last - J, true>(sum, t)), ...);
  return sum;
}

template <class Plan, int R> inline constexpr product_list products_of = Plan::value.products(R);
template <class Plan, int R, int J, int Down> AXE_FN constexpr unsigned one_product(unsigned t) {
  constexpr product_term p = products_of<Plan, R>.at[J];
  t >>= p.right;
  if constexpr (p.field != 0) t &= p.field;
  return t * (p.factor >> Down);
}
template <class Plan, int R, int Down, int... J>
AXE_FN constexpr unsigned sum_products(unsigned t, indices<J...>) {
  if constexpr (Plan::value.swizzles_alone(R))
    return (0u ^ ... ^ one_product<Plan, R, J, Down>(t));
  else
    return (0u + ... + one_product<Plan, R, J, Down>(t));
}

AXE_FN constexpr int bits_in_place(address_plan const& plan, int r) {
  if (plan.registers.at[r].form != evaluation::diagonals) return -1;
  diagonal_list const diagonals = plan.diagonals(r);
  for (int k = 0; k < diagonals.count; ++k)
    if (stays_in_place(diagonals, k, plan.scales[plan.registers.at[r].plane])) return k;
  return -1;
}
template <class Plan, int R> inline constexpr int diagonal_in_place = bits_in_place(Plan::value, R);
template <class Plan, int R> inline constexpr diagonal_list diagonals_of = Plan::value.diagonals(R);
template <class Plan, int R, int J> AXE_FN constexpr unsigned one_diagonal(unsigned t) {
  constexpr diagonal_term d = diagonals_of<Plan, R>.at[J];
  if constexpr (diagonal_in_place<Plan, R> == J) return 0;
  if constexpr (d.inserted != 0) return (t >> (d.inserted - d.shift)) << d.inserted;
  if constexpr (d.shift > 0) t <<= d.shift;
  if constexpr (d.shift < 0) t >>= -d.shift;
  if constexpr (d.mask != 0) t &= d.mask;
  return t;
}
AXE_FN constexpr unsigned reversed_bits(unsigned t) {
#ifdef __CUDA_ARCH__
  if (!__builtin_is_constant_evaluated()) return __brev(t);
#endif
  unsigned out = 0;
  for (int b = 0; b < 32; ++b) out |= (t >> b & 1) << (31 - b);
  return out;
}
template <class Plan, int R, int... J>
AXE_FN constexpr unsigned sum_diagonals(unsigned t, indices<J...>) {
  if constexpr (register_plan<Plan, R>.reversed) t = reversed_bits(t);
  return (0u ^ ... ^ one_diagonal<Plan, R, J>(t));
}

/// Divides the term by 2^(scale of its plane + Down). Diagonals need Down = 0.
template <class Plan, int R, class Index, int Down = 0>
AXE_FN constexpr Index contribution(unsigned t) {
  constexpr evaluation form = register_plan<Plan, R>.form;
  if constexpr (form == evaluation::quotients)
    return sum_quotients<Plan, R, Index, Down>(
        t, indices_to<register_plan<Plan, R>.quotients.count>{});
  else if constexpr (form == evaluation::products)
    return sum_products<Plan, R, Down>(t, indices_to<products_of<Plan, R>.count>{});
  else
    return sum_diagonals<Plan, R>(t, indices_to<diagonals_of<Plan, R>.count>{});
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
