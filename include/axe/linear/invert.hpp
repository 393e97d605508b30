// SPDX-License-Identifier: MIT
// invert, pseudo_invert, preimage, kernel and rank of a linear map M.
//
//     M = {reg: 1 -> (1); lane: 1 -> (2), 2 -> (0)} to (m: 4)
//     pseudo_invert(M)    {m: 1 -> (1,0), 2 -> (0,1)} to (reg: 2, lane: 4)
//
// pseudo_invert maps an image to its smallest input, preimage to all its inputs. preimage and
// invert reject maps that are not onto, invert also maps that are not one-to-one.
#pragma once

#include <axe/linear/engine/bit_space.hpp>
#include <axe/linear/from_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr refusal check_onto(linear_map const& m, bit_solver const& of) {
  bit_word const missing = low_bits(m.matrix.rows) & ~of.image.leading;
  if (missing == 0) return {};
  return about_bit(rule::linear_not_onto, m.out, lowest_bit(missing));
}

AXE_FN constexpr linear_map pseudo_inverse_of(linear_map const& m, bit_solver const& of) {
  linear_map back(m.out, m.in);
  for (int r = 0; r < m.matrix.rows; ++r) back.matrix.column[r] = of.image.label[r];
  back.offset = back.matrix(m.offset);
  return back;
}

}  // namespace detail

AXE_FN constexpr outcome<integer> try_rank(linear_map const& m) {
  if (refusal const bad = check(m)) return bad;
  return integer{rank(m.matrix)};
}
AXE_FN constexpr integer rank(linear_map const& m) {
  return detail::stop_on(try_rank(m), "linear.rank");
}

/// The vectors whose XOR with an input keeps its image, as a map from `replica`.
AXE_FN constexpr outcome<linear_map> try_kernel(linear_map const& m) {
  if (refusal const bad = check(m)) return bad;
  bit_space const free = kernel(m.matrix);
  linear_map k({{axes::replica, free.dimension()}}, m.in);
  if (refusal const bad = detail::check(k.in)) return bad;
  k.matrix = free.basis(m.matrix.columns);
  return k;
}
AXE_FN constexpr linear_map kernel(linear_map const& m) {
  return detail::stop_on(try_kernel(m), "linear.kernel");
}

AXE_FN constexpr outcome<linear_map> try_invert(linear_map const& m) {
  if (refusal const bad = check(m)) return bad;
  bit_solver const of(m.matrix);
  if (bit_word const free = of.kernel.leading; free != 0)
    return detail::about_bit(rule::linear_not_one_to_one, m.in, detail::lowest_bit(free));
  if (refusal const bad = detail::check_onto(m, of)) return bad;
  return detail::pseudo_inverse_of(m, of);
}
AXE_FN constexpr linear_map invert(linear_map const& m) {
  return detail::stop_on(try_invert(m), "linear.invert");
}

AXE_FN constexpr outcome<linear_map> try_pseudo_invert(linear_map const& m) {
  if (refusal const bad = check(m)) return bad;
  return detail::pseudo_inverse_of(m, bit_solver(m.matrix));
}
AXE_FN constexpr linear_map pseudo_invert(linear_map const& m) {
  return detail::stop_on(try_pseudo_invert(m), "linear.pseudo_invert");
}

/// The axis `replica` numbers the inputs of a place, unless M is one-to-one.
AXE_FN constexpr outcome<linear_map> try_preimage(linear_map const& m) {
  if (refusal const bad = check(m)) return bad;
  bit_solver const of(m.matrix);
  if (refusal const bad = detail::check_onto(m, of)) return bad;
  linear_map back = detail::pseudo_inverse_of(m, of);
  int const replica_bits = of.kernel.dimension();
  if (replica_bits == 0) return back;
  if (!back.in.axes.push({axes::replica, replica_bits}))
    return refusal{rule::linear_axes, {capacity::axes + 1}};
  bit_matrix const basis = of.kernel.basis(m.matrix.columns);
  for (int c = 0; c < replica_bits; ++c) back.matrix.column[m.matrix.rows + c] = basis.column[c];
  back.matrix.columns += replica_bits;
  if (refusal const bad = check(back)) return bad;
  return back;
}
AXE_FN constexpr linear_map preimage(linear_map const& m) {
  return detail::stop_on(try_preimage(m), "linear.preimage");
}

/// The linear map from places of L to coordinates of S. Replicas become its kernel. Rejects an L if
/// a place has no element or several.
AXE_FN constexpr outcome<linear_map> try_owner_map(layout const& l, shape const& s) {
  outcome<linear_map> const forward = try_linear(l, s);
  if (!forward) return forward;
  outcome<linear_map> const backward = try_invert(*forward);
  if (!backward) return backward;
  linear_axes dimensions = backward->out;
  if (dimensions.names(axes::replica)) dimensions.axes.pop();  // the last axis
  return detail::on_axes(*backward, backward->in, dimensions);
}
AXE_FN constexpr linear_map owner_map(layout const& l, shape const& s) {
  return detail::stop_on(try_owner_map(l, s), "linear.owner_map", {&l, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
