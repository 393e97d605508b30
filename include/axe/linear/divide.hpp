// SPDX-License-Identifier: MIT
// divide_left(T, A): the X with multiply(A, X) = T. divide_right(T, A): the X with
// multiply(X, A) = T.
//
//     divide_left({reg: 1 -> (1); lane: 1 -> (2)} to (m: 4), {reg: 1 -> (1)} to (m: 2))
//         {lane: 1 -> (1)} to (m: 2)
#pragma once

#include <axe/linear/multiply.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

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

}  // namespace detail

AXE_FN constexpr outcome<linear_map> try_divide_left(linear_map const& whole,
                                                     linear_map const& factor) {
  return detail::divide(whole, factor, true);
}
AXE_FN constexpr linear_map divide_left(linear_map const& whole, linear_map const& factor) {
  auto const result = try_divide_left(whole, factor);
  detail::stop_on(result.why, "linear.divide_left");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(divide_left, "linear.divide_left", carries_linear_map);

AXE_FN constexpr outcome<linear_map> try_divide_right(linear_map const& whole,
                                                      linear_map const& factor) {
  return detail::divide(whole, factor, false);
}
AXE_FN constexpr linear_map divide_right(linear_map const& whole, linear_map const& factor) {
  auto const result = try_divide_right(whole, factor);
  detail::stop_on(result.why, "linear.divide_right");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(divide_right, "linear.divide_right", carries_linear_map);

}  // namespace AXE_NAMESPACE
}  // namespace axe
