// SPDX-License-Identifier: MIT
// multiply(A, B): the direct sum T of linear maps, with A on the low bits of each axis.
// divide_left(T, A) is B, divide_right(T, B) is A. quotient(T, axes): T without `axes`, on which T
// must be the identity. part(T, ins, outs): restricts T to these axes. Other inputs are 0.
//
//     multiply({reg: 1 -> (1)} to (m: 2), {lane: 1 -> (1)} to (m: 2))
//         {reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)
#pragma once

#include <axe/linear/linear_map.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The axes of a direct sum: on each axis, the bits of b above those of a.
AXE_FN constexpr refusal stack(linear_axes const& a, linear_axes const& b, linear_axes& whole) {
  for (linear_axis const& low : a.axes) whole.axes.push({low.on, low.bits + b.bits_on(low.on)});
  for (linear_axis const& high : b.axes)
    if (!a.names(high.on) && !whole.axes.push(high))
      return {rule::linear_axes, {whole.axes.size() + 1}};
  return check(whole);
}

/// The bits of `whole` on each axis that `factor` lacks.
AXE_FN constexpr refusal unstack(linear_axes const& whole, linear_axes const& factor,
                                 linear_axes& rest) {
  for (linear_axis const& f : factor.axes)
    if (f.bits > whole.bits_on(f.on))
      return {rule::linear_factor_is_larger, {f.bits, whole.bits_on(f.on)}, {f.on}};
  for (linear_axis const& w : whole.axes)
    if (w.bits > factor.bits_on(w.on)) rest.axes.push({w.on, w.bits - factor.bits_on(w.on)});
  return {};
}

AXE_FN constexpr outcome<linear_map> divide(linear_map const& whole, linear_map const& factor,
                                            bool left) {
  if (refusal const bad = check_both(whole, factor)) return bad;
  linear_axes in;
  linear_axes out;
  if (refusal const bad = unstack(whole.in, factor.in, in)) return bad;
  if (refusal const bad = unstack(whole.out, factor.out, out)) return bad;
  linear_map x(in, out);
  linear_axes const none;
  bit_renaming const of_factor_in(factor.in, whole.in, left ? none : in);
  bit_renaming const of_factor_out(factor.out, whole.out, left ? none : out);
  bit_renaming const of_x_in(in, whole.in, left ? factor.in : none);
  bit_renaming const of_x_out(out, whole.out, left ? factor.out : none);
  bit_word const factor_rows = of_factor_out(low_bits(factor.matrix.rows));
  if ((whole.offset & factor_rows) != of_factor_out(factor.offset))
    return refusal{rule::linear_factor_starts_elsewhere};
  for (int c = 0; c < factor.matrix.columns; ++c)
    if (whole.matrix.column[of_factor_in.to[c]] != of_factor_out(factor.matrix.column[c]))
      return about_bit(rule::linear_factor_differs, whole.in, of_factor_in.to[c]);
  auto const output_of_x = [&](bit_word word) {
    bit_word output = 0;
    for (int r = 0; r < x.matrix.rows; ++r)
      if (has_bit(word, of_x_out.to[r])) output |= bit(r);
    return output;
  };
  for (int c = 0; c < x.matrix.columns; ++c) {
    bit_word const image = whole.matrix.column[of_x_in.to[c]];
    if ((image & factor_rows) != 0)
      return about_bit(rule::linear_rest_mixes, whole.in, of_x_in.to[c]);
    x.matrix.column[c] = output_of_x(image);
  }
  x.offset = output_of_x(whole.offset);
  return x;
}

AXE_FN constexpr refusal named_axes(linear_axes const& side, axis_list const& wanted,
                                    linear_axes& part) {
  for (axis a : wanted) {
    if (!side.names(a)) return {rule::linear_no_such_axis, {}, {a}};
    part.axes.push({a, side.bits_on(a)});
  }
  return check(part);
}

}  // namespace detail

AXE_FN constexpr outcome<linear_map> try_multiply(linear_map const& a, linear_map const& b) {
  using namespace detail;
  if (refusal const bad = check_both(a, b)) return bad;
  linear_axes in;
  linear_axes out;
  if (refusal const bad = stack(a.in, b.in, in)) return bad;
  if (refusal const bad = stack(a.out, b.out, out)) return bad;
  linear_map whole(in, out);
  add_map(whole, a);
  add_map(whole, b, a.in, a.out);
  return whole;
}
AXE_FN constexpr linear_map multiply(linear_map const& a, linear_map const& b) {
  return detail::stop_on(try_multiply(a, b), "linear.multiply");
}

AXE_FN constexpr outcome<linear_map> try_divide_left(linear_map const& whole,
                                                     linear_map const& factor) {
  return detail::divide(whole, factor, true);
}
AXE_FN constexpr linear_map divide_left(linear_map const& whole, linear_map const& factor) {
  return detail::stop_on(try_divide_left(whole, factor), "linear.divide_left");
}

AXE_FN constexpr outcome<linear_map> try_divide_right(linear_map const& whole,
                                                      linear_map const& factor) {
  return detail::divide(whole, factor, false);
}
AXE_FN constexpr linear_map divide_right(linear_map const& whole, linear_map const& factor) {
  return detail::stop_on(try_divide_right(whole, factor), "linear.divide_right");
}

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
  return detail::stop_on(try_part(m, ins, outs), "linear.part");
}

AXE_FN constexpr outcome<linear_map> try_quotient(linear_map const& m, axis_list const& removed) {
  if (refusal const bad = check(m)) return bad;
  axis_list ins;
  axis_list outs;
  for (axis a : removed) {
    int const bits = m.in.bits_on(a);
    if (!m.in.names(a) && !m.out.names(a)) return refusal{rule::linear_no_such_axis, {}, {a}};
    if (bits != m.out.bits_on(a) || !detail::divide(m, linear_identity(a, bits, a), true))
      return refusal{rule::linear_no_quotient, {}, {a}};
  }
  for (linear_axis const& a : m.in.axes)
    if (!removed.contains(a.on)) ins.push(a.on);
  for (linear_axis const& a : m.out.axes)
    if (!removed.contains(a.on)) outs.push(a.on);
  return try_part(m, ins, outs);
}
AXE_FN constexpr linear_map quotient(linear_map const& m, axis_list const& removed) {
  return detail::stop_on(try_quotient(m, removed), "linear.quotient");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
