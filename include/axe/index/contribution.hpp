// SPDX-License-Identifier: MIT
// contribution<Plan, R>(t): the term of register R of an address plan, for the register's
// value t.
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
template <class Plan, int R, class Index, int J>
AXE_FN constexpr Index weighted_quotient(unsigned t) {
  constexpr integer weight = register_plan<Plan, R>.quotients.at[J].weight >>
                             Plan::value.scales[register_plan<Plan, R>.plane];
  return static_cast<Index>(quotient_number<Plan, R, J>(t)) * static_cast<Index>(weight);
}
/// Adds the slowest quotient first, because it changes least often.
template <class Plan, int R, class Index, int... J>
AXE_FN constexpr Index sum_quotients(unsigned t, indices<J...>) {
  return (Index{0} + ... + weighted_quotient<Plan, R, Index, int{sizeof...(J)} - 1 - J>(t));
}

template <class Plan, int R> inline constexpr product_list products_of = Plan::value.products(R);
template <class Plan, int R, int J> AXE_FN constexpr unsigned one_product(unsigned t) {
  constexpr product_term p = products_of<Plan, R>.at[J];
  t >>= p.right_shift;
  if constexpr (p.field != 0) t &= p.field;
  return t * p.factor;
}
template <class Plan, int R, int... J>
AXE_FN constexpr unsigned sum_products(unsigned t, indices<J...>) {
  if constexpr (Plan::value.swizzles_register(R))
    return (0u ^ ... ^ one_product<Plan, R, J>(t));
  else
    return (0u + ... + one_product<Plan, R, J>(t));
}

template <class Plan, int R> inline constexpr diagonal_list diagonals_of = Plan::value.diagonals(R);
template <class Plan, int R, int J> AXE_FN constexpr unsigned one_diagonal(unsigned t) {
  constexpr diagonal_term d = diagonals_of<Plan, R>.at[J];
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

/// Returns the term divided by 2^scale, with the scale of its plane.
template <class Plan, int R, class Index> AXE_FN constexpr Index contribution(unsigned t) {
  constexpr evaluation form = register_plan<Plan, R>.form;
  if constexpr (form == evaluation::quotients)
    return sum_quotients<Plan, R, Index>(t, indices_to<register_plan<Plan, R>.quotients.count>{});
  else if constexpr (form == evaluation::products)
    return sum_products<Plan, R>(t, indices_to<products_of<Plan, R>.count>{});
  else
    return sum_diagonals<Plan, R>(t, indices_to<diagonals_of<Plan, R>.count>{});
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
