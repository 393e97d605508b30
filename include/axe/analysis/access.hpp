// SPDX-License-Identifier: MIT
// access_pattern{elements, bits, values}: the lane that accesses each element of a tile.
//
//     access_pattern{S[512:1], 16, 8}     instruction 1, lane 3, value 0: element 32*8 + 3*8
//
// `elements` maps (instruction, lane, value) to the row-major number of the element. Elements have
// `bits` bits. A lane accesses a vector of `values` elements.
#pragma once

#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct access_pattern {
  layout elements;
  int bits = 0;
  int values = 1;  // elements of a vector
  int lanes = 32;
  // True for ldmatrix and stmatrix: vectors are rows of 16 bytes, eight for each matrix.
  bool matrices = false;
  // Each sweep of this many vectors begins with a new instruction. 0: all vectors are one sweep.
  integer sweep = 0;

  constexpr bool operator==(access_pattern const&) const = default;
};

namespace detail {

struct access_counts {
  integer vectors = 0;
  integer sweep = 0;
  integer instructions_per_sweep = 0;
  int vector_bits = 0;
};

/// Rejects layouts that are not only on m, by the rule `otherwise`.
AXE_LAZY_FN constexpr refusal check_on_memory(layout const& l, rule otherwise) {
  if (axis const other = axis_beside_memory(l); other != axis::null)
    return {otherwise, {}, {other}};
  return {};
}

AXE_LAZY_FN constexpr refusal check_widths(access_pattern const& a) {
  integer bits = a.bits;
  bool const positive = a.bits >= 1 && a.values >= 1;
  bool const is_vector =
      positive && multiply(bits, a.values) && is_power_of_two(bits) && bits >= 8 && bits <= 128;
  if (!is_vector) return {rule::access_width, {a.values, a.bits}};
  if (a.lanes < 1 || a.lanes > 32) return {rule::access_lanes, {a.lanes}};
  if (a.matrices && bits != 128) return {rule::access_matrix_row, {bits}};
  return {};
}

AXE_LAZY_FN constexpr refusal check_access(access_pattern const& a, integer elements,
                                           access_counts& counts) {
  if (refusal const bad = check_widths(a)) return bad;
  if (refusal const bad = check(a.elements)) return bad;
  if (refusal const bad = check_on_memory(a.elements, rule::access_pattern_on_memory_only))
    return bad;
  if (a.elements.replicas.count != 0) return {rule::access_pattern_has_replicas};
  outcome<interval> const reach = reach_of(a.elements, axis::m);
  if (reach.why) return reach.why;
  if (reach->least < 0 || reach->largest >= elements)
    return {rule::access_leaves_the_tile, {reach->least, reach->largest, elements - 1}};
  integer const size = product_of_extents(a.elements.shards);
  if (size % a.values != 0) return {rule::access_splits_a_vector, {size, a.values}};
  counts.vectors = size / a.values;
  counts.vector_bits = a.bits * a.values;
  counts.sweep = a.sweep == 0 ? counts.vectors : a.sweep;
  if (counts.sweep < 1 || counts.vectors % counts.sweep != 0)
    return {rule::access_sweep, {counts.sweep, counts.vectors}};
  counts.instructions_per_sweep = (counts.sweep - 1) / a.lanes + 1;
  return {};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
