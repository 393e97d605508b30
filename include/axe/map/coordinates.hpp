// SPDX-License-Identifier: MIT
// Checks coordinates against a shape.
//
//     shape ((2,4),16), coordinate (5,9)        leaves (1,1,9)
//
// Definition: docs/algebra.md, D3.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/layout/shape.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A shape or coordinate without nesting.
using extent_list = list<integer, 48>;

AXE_LAZY_FN constexpr shape shape_with(extent_list const& extents) {
  shape s;
  for (integer e : extents) s.append(e);
  return s;
}

/// The extents of the blocks or, without blocks, of the digits.
AXE_LAZY_FN constexpr shape written_shape(layout const& l) {
  shape s;
  if (!l.grouped())
    for (iter const& i : l.shards) s.append(i.extent);
  for (int d = 0; d < l.blocks.count; ++d) s.append(product_of_extents(iters_of_block(l, d)));
  return s;
}

AXE_LAZY_FN constexpr refusal check_size(layout const& l, integer size) {
  integer const held = product_of_extents(l.shards);
  if (size != held) return {rule::shape_does_not_fit, {size, held}};
  return {};
}

/// A nested entry gives one dimension or, if `by_leaf`, one for each leaf.
AXE_LAZY_FN constexpr refusal dimensions_of(shape const& s, extent_list& dimensions, integer& size,
                                            bool by_leaf = false) {
  if (s.overflowed) return {rule::shape_is_too_large_a_tree};
  size = 1;
  int leaf = 0;
  for (int i = 1; i < s.nodes.count;) {
    if (by_leaf && s.nodes.is_group(i)) {
      ++i;
      continue;
    }
    integer extent = 1;
    for (int const last = s.skip(i); i < last; ++i) {
      if (s.nodes.is_group(i)) continue;
      integer const factor = s.nodes.value(i);
      if (factor < 1) return {rule::shape_extent_below_one, {leaf, factor}};
      if (!multiply(extent, factor)) return {rule::shape_overflows};
      ++leaf;
    }
    if (!multiply(size, extent)) return {rule::shape_overflows};
    if (!by_leaf && dimensions.count == capacity::shards)
      return {rule::too_many_dimensions, {s.rank()}};
    dimensions.push(extent);
  }
  return {};
}

AXE_LAZY_FN constexpr refusal dimensions_of(shape const& s, extent_list& dimensions) {
  integer size = 1;
  return dimensions_of(s, dimensions, size);
}

AXE_LAZY_FN constexpr refusal leaves_of(shape const& s, extent_list& leaves, integer& size) {
  leaves.clear();
  return dimensions_of(s, leaves, size, true);
}

AXE_LAZY_FN constexpr refusal matrix_extents(shape const& s, extent_list& extents) {
  if (refusal const bad = dimensions_of(s, extents)) return bad;
  return extents.count == 2 ? refusal{} : refusal{rule::mma_tile_rank, {extents.count}};
}

AXE_LAZY_FN constexpr refusal admit_dimensions(layout const& l, shape const& s,
                                               extent_list& dimensions) {
  integer size = 1;
  if (refusal const bad = dimensions_of(s, dimensions, size)) return bad;
  return check_size(l, size);
}

AXE_LAZY_FN constexpr refusal admit_leaves(layout const& l, shape const& s, extent_list& leaves) {
  integer size = 1;
  if (refusal const bad = leaves_of(s, leaves, size)) return bad;
  return check_size(l, size);
}

AXE_LAZY_FN constexpr refusal divide_extents(extent_list const& whole, extent_list const& part,
                                             extent_list& rest) {
  if (whole.count != part.count) return {rule::shapes_have_other_ranks, {part.count, whole.count}};
  for (int d = 0; d < whole.count; ++d) {
    if (whole[d] % part[d] != 0) return {rule::extent_does_not_divide, {d, part[d], whole[d]}};
    rest.push(whole[d] / part[d]);
  }
  return {};
}

AXE_LAZY_FN constexpr integer product_below(shape const& s, int node) {
  integer product = 1;
  for (int i = node, last = s.skip(node); i < last; ++i)
    if (s.nodes.is_integer(i)) product *= s.nodes.value(i);
  return product;
}

/// Appends the coordinate of each leaf below `node` at row-major number `position`.
AXE_LAZY_FN constexpr void append_coordinates(shape const& s, int node, integer position,
                                              extent_list& out) {
  integer below = product_below(s, node);
  for (int i = node, last = s.skip(node); i < last; ++i) {
    if (s.nodes.is_group(i)) continue;
    below /= s.nodes.value(i);
    out.push(position / below);
    position %= below;
  }
}

/// Appends the coordinate at in_c for the extents at in_s. Moves both past their subtrees.
AXE_LAZY_FN constexpr refusal match_node(shape const& s, int& in_s, coordinate const& c, int& in_c,
                                         int entry, extent_list& out) {
  if (c.nodes.is_integer(in_c)) {
    integer const value = c.nodes.value(in_c);
    integer last = product_below(s, in_s) - 1;
    if (value < 0 || value > last) return {rule::coordinate_outside, {entry, value, last}};
    append_coordinates(s, in_s, value, out);
    in_s = s.skip(in_s);
    ++in_c;
    return {};
  }
  if (s.nodes.is_integer(in_s)) return {rule::coordinate_is_nested_deeper, {entry}};
  int const entries = c.nodes.entries(in_c++);
  int const in_shape = s.nodes.entries(in_s++);
  if (entries != in_shape) return {rule::coordinate_has_another_rank, {entries, in_shape}};
  for (int e = 0; e < entries; ++e)
    if (refusal const bad = match_node(s, in_s, c, in_c, entry, out)) return bad;
  return {};
}

AXE_LAZY_FN constexpr refusal leaf_coordinates(shape const& s, coordinate const& c,
                                               extent_list& out) {
  if (c.overflowed) return {rule::shape_is_too_large_a_tree};
  out.clear();
  int in_s = 0;
  int in_c = 0;
  if (c.is_integer()) return match_node(s, in_s, c, in_c, 0, out);
  if (c.rank() != s.rank()) return {rule::coordinate_has_another_rank, {c.rank(), s.rank()}};
  in_s = in_c = 1;
  for (int e = 0; e < s.rank(); ++e)
    if (refusal const bad = match_node(s, in_s, c, in_c, e, out)) return bad;
  return {};
}

using digit_list = list<integer, capacity::shards>;

AXE_LAZY_FN constexpr tree with_leaves(shape const& s, extent_list const& leaves) {
  tree t = s;
  int next = 0;
  for (int i = 0; i < t.nodes.count; ++i)
    if (t.nodes.is_integer(i)) t.nodes.numbers[i] = leaves[next++];
  return t;
}

AXE_LAZY_FN constexpr coordinate coordinate_of(shape const& s, integer x) {
  extent_list leaf;
  append_coordinates(s, 0, x, leaf);
  return coordinate(with_leaves(s, leaf));
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
