// SPDX-License-Identifier: MIT
// part(M, ins, outs): restricts M to input axes `ins` and output axes `outs`. Other inputs are 0.
// quotient(M, axes): M without `axes`, on which it must be the identity.
//
//     M = {reg: 1 -> (1,0); lane: 1 -> (0,1)} to (reg: 2, m: 2)
//     part(M, {lane}, {m})        {lane: 1 -> (1)} to (m: 2)
//     quotient(M, {reg})          the same
#pragma once

#include <axe/linear/divide.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr refusal named_axes(linear_axes const& side, axis_list const& wanted,
                                    linear_axes& part) {
  for (axis a : wanted) {
    if (!side.names(a)) return {rule::linear_no_such_axis, {}, {a}};
    part.axes.push({a, side.bits_on(a)});
  }
  return check(part);
}

}  // namespace detail

AXE_FN constexpr outcome<linear_map> try_part(linear_map const& m, axis_list const& ins,
                                              axis_list const& outs) {
  using namespace detail;
  if (refusal const bad = check(m)) return bad;
  linear_axes in;
  linear_axes out;
  if (refusal const bad = named_axes(m.in, ins, in)) return bad;
  if (refusal const bad = named_axes(m.out, outs, out)) return bad;
  return on_axes(m, in, out);
}
AXE_FN constexpr linear_map part(linear_map const& m, axis_list const& ins, axis_list const& outs) {
  auto const result = try_part(m, ins, outs);
  detail::stop_on(result.why, "linear.part");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(part, "linear.part", carries_linear_map);

AXE_FN constexpr outcome<linear_map> try_quotient(linear_map const& m, axis_list const& kept) {
  if (refusal const bad = check(m)) return bad;
  axis_list ins;
  axis_list outs;
  for (axis a : kept) {
    int const bits = m.in.bits_on(a);
    if (!m.in.names(a) && !m.out.names(a)) return refusal{rule::linear_no_such_axis, {}, {a}};
    if (bits != m.out.bits_on(a) || !detail::divide(m, linear_identity(a, bits, a), true))
      return refusal{rule::linear_no_quotient, {}, {a}};
  }
  for (linear_axis const& a : m.in.axes)
    if (!kept.contains(a.on)) ins.push(a.on);
  for (linear_axis const& a : m.out.axes)
    if (!kept.contains(a.on)) outs.push(a.on);
  return try_part(m, ins, outs);
}
AXE_FN constexpr linear_map quotient(linear_map const& m, axis_list const& kept) {
  auto const result = try_quotient(m, kept);
  detail::stop_on(result.why, "linear.quotient");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(quotient, "linear.quotient", carries_linear_map);

}  // namespace AXE_NAMESPACE
}  // namespace axe
