// SPDX-License-Identifier: MIT
// multiply(A, B): the direct sum of linear maps, with A on the low bits of each axis.
//
//     multiply({reg: 1 -> (1)} to (m: 2), {lane: 1 -> (1)} to (m: 2))
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
  add_map(whole, a);
  add_map(whole, b, a.in, a.out);
  return whole;
}
AXE_FN constexpr linear_map multiply(linear_map const& a, linear_map const& b) {
  auto const result = try_multiply(a, b);
  detail::stop_on(result.why, "linear.multiply");
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(multiply, "linear.multiply", carries_linear_map);

}  // namespace AXE_NAMESPACE
}  // namespace axe
