// SPDX-License-Identifier: MIT
// linear(L, S): a layout on a shape as a linear map over F2, from dimensions to axes.
//
//     linear(S[(2,4):(4@lane,1@lane)], (2,4))
//         {dim0: 1 -> (4); dim1: 1 -> (1), 2 -> (2)} to (lane: 8)
//
// linear(f, n) is the swizzle f on 2^n addresses. Rejects layouts that are not affine over F2.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/base/sort.hpp>
#include <axe/linear/engine/find_xors.hpp>
#include <axe/linear/linear_map.hpp>
#include <axe/map/coordinates.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr refusal in_axes_of(shape const& s, linear_axes& in) {
  if (s.rank() > capacity::axes) return {rule::linear_axes, {s.rank()}};
  extent_list dimensions;
  if (refusal const bad = dimensions_of(s, dimensions)) return bad;
  for (int d = 0; d < dimensions.count; ++d) {
    int const bits = exact_log2(dimensions[d]);
    if (bits < 0) return {rule::linear_extent, {d, dimensions[d]}};
    in.axes.push({dimension_axis(d), bits});
  }
  return {};
}

/// Memory axes, thread axes from lane outwards, device axes.
AXE_FN constexpr axis_list nearest_first(axis_list const& axes) {
  axis_list outwards = axes;
  sort_by(outwards, [](axis a) { return number_of(a); });
  axis_list sorted;
  for (kind const wanted : {kind::memory, kind::thread, kind::device})
    for (axis a : wanted == kind::thread ? outwards : axes)
      if (kind_of(a) == wanted) sorted.push(a);
  return sorted;
}

/// The column of each bit of the element number, lowest first.
struct element_bits {
  int of[64]{};
  int count = 0;
  AXE_FN constexpr explicit element_bits(linear_axes const& in) {
    int first = in.bits();
    for (int d = in.axes.size() - 1; d >= 0; --d) {
      first -= in.axes[d].bits;
      if (in.axes[d].on == axes::replica) continue;
      for (int k = 0; k < in.axes[d].bits; ++k) of[count++] = first + k;
    }
  }
};

AXE_FN constexpr refusal append_axis(linear_map& m, axis a, bit_steps const& steps) {
  bit_word reached = steps.start;
  for (int j = 0; j < steps.count; ++j) reached |= steps.changes[j];
  int const bits = highest_bit(reached) + 1;
  int const first = m.matrix.rows;
  m.matrix.rows += bits;
  m.out.axes.push({a, bits});
  if (bits > 62) return {rule::linear_axis_bits, {bits}, {a}};
  if (m.matrix.rows > 64) return {rule::linear_bits, {m.matrix.rows}};
  if (bits == 0) return {};  // a shift by 64 would be undefined
  m.offset |= steps.start << first;
  for (int j = 0; j < steps.count; ++j)
    m.matrix.column[steps.input[j]] |= steps.changes[j] << first;
  return {};
}

AXE_FN constexpr bit_steps steps_on(layout const& l, linear_axes const& in, axis a) {
  element_bits const column(in);
  bit_steps steps;
  steps.origin = l.offset(a);
  int bit = 0;
  auto const add = [&](iter const& i) {
    for (integer e = 1; e < i.extent; e *= 2, ++bit)
      if (i.on == a) steps.add(i.stride * e, bit < column.count ? column.of[bit] : bit);
  };
  for (int k = l.shards.size() - 1; k >= 0; --k) add(l.shards[k]);
  for (iter const& r : l.replicas) add(r);
  return steps;
}

}  // namespace detail

AXE_FN constexpr outcome<linear_map> try_linear(layout const& l, shape const& s) {
  using namespace detail;
  linear_map m;
  extent_list leaves;
  if (refusal const bad = check(l)) return bad;
  if (refusal const bad = admit_leaves(l, s, leaves)) return bad;
  if (refusal const bad = in_axes_of(s, m.in)) return bad;
  layout plain = l;  // the columns get the swizzle below
  plain.swizzle = {};
  outcome<layout> const form = canonical(valid_layout::proved(plain));
  if (form.why) return form.why;
  int replica_bits = 0;
  for (iter const& r : form->replicas) {
    int const bits = exact_log2(r.extent);
    if (bits < 0) return refusal{rule::linear_replicas, {r.extent, r.stride}, {r.on}};
    replica_bits += bits;
  }
  if (replica_bits > 0 && !m.in.axes.push({axes::replica, replica_bits}))
    return refusal{rule::linear_axes, {m.in.axes.size() + 1}};
  if (refusal const bad = check(m.in)) return bad;
  m.matrix = bit_matrix(0, m.in.bits());
  for (axis a : nearest_first(axes_of(l))) {
    interval const reach = reach_before_swizzle(*form, a);
    if (reach.least < 0) return refusal{rule::linear_negative, {reach.least}, {a}};
    bit_steps steps = steps_on(*form, m.in, a);
    if (refusal const bad = find_xors(steps, a)) return bad;
    if (a == axis::m) {
      steps.start = swizzled(l.swizzle, steps.start);
      for (int j = 0; j < steps.count; ++j)
        steps.changes[j] = swizzled(l.swizzle, steps.changes[j]);
    }
    if (refusal const bad = append_axis(m, a, steps)) return bad;
  }
  return m;
}
AXE_FN constexpr linear_map linear(layout const& l, shape const& s) {
  return detail::stop_on(try_linear(l, s), "linear", {&l, nullptr, &s});
}

AXE_FN constexpr outcome<linear_map> try_linear(axe::swizzle const& f, integer bits) {
  if (bits < 0 || bits > 62) return refusal{rule::linear_axis_bits, {bits}, {axis::m}};
  layout addresses;
  addresses.swizzle = f;
  addresses.shards.push({integer{1} << bits, 1, axis::m});
  outcome<linear_map> m = try_linear(addresses, integer{1} << bits);
  if (m) m.value.in.axes[0].on = axis::m;
  return m;
}
AXE_FN constexpr linear_map linear(axe::swizzle const& f, integer bits) {
  return detail::stop_on(try_linear(f, bits), "linear");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
