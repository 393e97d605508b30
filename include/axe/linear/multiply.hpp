// multiply(A, B), or A * B: the direct sum of linear maps, with A on the low bits of every axis.
//
//     {reg: 1 -> (1)} to (m: 2)  *  {reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)
//         {reg: 1 -> (1), 2 -> (2); lane: 1 -> (4)} to (m: 8)
//
// It is the tile with A inside and B outside, if spans are powers of two. Associative. Rejects more
// than 64 bits or 16 axes on a side. Definition: docs/algebra.md, D18.
#pragma once

#include <axe/linear/linear_carrier.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The axes of a with b's bits above their own, then the other axes of b.
AXE_FN constexpr refusal stack(linear_axes const& a, linear_axes const& b, linear_axes& whole) {
  for (linear_axis const& low : a.axes) whole.axes.push({low.on, low.bits + b.bits_on(low.on)});
  for (linear_axis const& high : b.axes)
    if (!a.names(high.on) && !whole.axes.push(high))
      return {rule::linear_axes, {whole.axes.size() + 1}};
  return check(whole);
}

/// The positions of a part's bits in the whole, above `below`'s bits of the same axis.
struct bit_placing {
  int to[64]{};
  AXE_FN constexpr bit_placing(linear_axes const& part, linear_axes const& below,
                               linear_axes const& whole) {
    int i = 0;
    for (linear_axis const& a : part.axes)
      for (int k = 0; k < a.bits; ++k) to[i++] = whole.first_bit(a.on) + below.bits_on(a.on) + k;
  }
  AXE_FN constexpr bit_word operator()(bit_word word) const {
    bit_word moved = 0;
    for (; word != 0; word &= word - 1) moved |= bit(to[lowest_bit(word)]);
    return moved;
  }
};

}  // namespace detail

AXE_FN constexpr outcome<linear_map> try_multiply(linear_map const& a, linear_map const& b) {
  if (refusal const bad = check(a)) return bad;
  if (refusal const bad = check(b)) return bad;
  linear_axes in;
  linear_axes out;
  if (refusal const bad = detail::stack(a.in, b.in, in)) return bad;
  if (refusal const bad = detail::stack(a.out, b.out, out)) return bad;
  linear_map whole(in, out);
  for (bool const low : {true, false}) {
    linear_map const& part = low ? a : b;
    detail::bit_placing const column(part.in, low ? linear_axes{} : a.in, in);
    detail::bit_placing const row(part.out, low ? linear_axes{} : a.out, out);
    for (int c = 0; c < part.matrix.columns; ++c)
      whole.matrix.column[column.to[c]] = row(part.matrix.column[c]);
    whole.offset |= row(part.offset);
  }
  return whole;
}
AXE_FN constexpr linear_map multiply(linear_map const& a, linear_map const& b) {
  outcome<linear_map> const result = try_multiply(a, b);
  if (!result) detail::stop_on(result.why, "linear.multiply", {});
  return result.value;
}
AXE_LINEAR_CARRIER_FORM(multiply, "linear.multiply", carries_linear_map);
AXE_FN constexpr linear_map operator*(linear_map const& a, linear_map const& b) {
  return multiply(a, b);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
