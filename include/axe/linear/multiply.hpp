// SPDX-License-Identifier: MIT
// multiply(A, B), or A * B: the direct sum of linear maps, with A on the low bits of each axis.
//
//     {reg: 1 -> (1)} to (m: 2) * {lane: 1 -> (1)} to (m: 2)
//         {reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)
#pragma once

#include <axe/linear/linear_carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr refusal stack(linear_axes const& a, linear_axes const& b, linear_axes& whole) {
  for (linear_axis const& low : a.axes) whole.axes.push({low.on, low.bits + b.bits_on(low.on)});
  for (linear_axis const& high : b.axes)
    if (!a.names(high.on) && !whole.axes.push(high))
      return {rule::linear_axes, {whole.axes.size() + 1}};
  return check(whole);
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
  for (bool const low : {true, false}) {
    linear_map const& part = low ? a : b;
    bit_renaming const column(part.in, in, low ? linear_axes{} : a.in);
    bit_renaming const row(part.out, out, low ? linear_axes{} : a.out);
    for (int c = 0; c < part.matrix.columns; ++c)
      whole.matrix.column[column.to[c]] = row(part.matrix.column[c]);
    whole.offset |= row(part.offset);
  }
  return whole;
}
AXE_FN constexpr linear_map multiply(linear_map const& a, linear_map const& b) {
  auto const result = try_multiply(a, b);
  detail::stop_on(result.why, "linear.multiply");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(multiply, "linear.multiply", carries_linear_map);
AXE_FN constexpr linear_map operator*(linear_map const& a, linear_map const& b) {
  return multiply(a, b);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
