// SPDX-License-Identifier: MIT
// cute::layout: an axe layout on m with a profile of modes, written as CuTe writes it.
//
//     Sw<3,4,3> o 0 o (8,128):(128,1)   adds 0, then applies the swizzle
//
// CuTe's first mode and axe's last digit are the fastest: leaf 0 is the last digit of `map`.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/engine/memory_digits.hpp>
#include <axe/layout/check.hpp>
#include <axe/layout/shape.hpp>
#include <axe/map/step_limit.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

/// CuTe's IntTuple: 6, {4, 2}, {{2, 4}, 8}. 6 and {6} differ.
using int_tuple = coordinate;

struct leaf {
  integer extent = 0;
  integer stride = 0;

  constexpr bool operator==(leaf const&) const = default;
};

/// A profile lists nodes in preorder: `leaf_node`, or the number of entries of a group.
inline constexpr int leaf_node = -1;
using profile = list<int, 48>;

struct layout {
  axe::layout map;
  cute::profile profile;
  rule broken_rule = rule::none;  // why the layout is invalid

  constexpr bool operator==(layout const&) const = default;

  AXE_FN constexpr axe::swizzle const& swizzle() const { return map.swizzle; }
  AXE_FN constexpr integer offset() const { return map.offset(axis::m); }
  AXE_FN constexpr void set_offset(integer n) { axe::detail::set_offset(map, n); }
  /// True for CuTe's Layout, false for its ComposedLayout.
  AXE_FN constexpr bool plain() const { return swizzle().none() && map.offsets.empty(); }

  AXE_FN constexpr int leaf_count() const { return map.shards.count; }
  AXE_FN constexpr leaf operator[](int k) const {
    iter const& i = map.shards.at[map.shards.count - 1 - k];
    return {i.extent, i.stride};
  }
};

namespace detail {

using namespace axe::detail;

AXE_FN constexpr iter digit_of(leaf const& d) {
  return {d.extent, d.stride, d.stride == 0 ? axis::null : axis::m};
}

/// A node, and the first leaf at or after it.
struct cursor {
  int node = 0;
  int leaf = 0;
};

/// In the profile of a tiler, -2 - n is a group of n tilers.
AXE_FN constexpr int entries_of(int node) {
  return node >= 0 ? node : node == leaf_node ? 0 : -2 - node;
}

AXE_FN constexpr cursor skip(layout const& l, cursor at) {
  for (int open = 1; open > 0 && at.node < l.profile.count; ++at.node) {
    int const node = l.profile.at[at.node];
    if (node == leaf_node) ++at.leaf;
    open += entries_of(node) - 1;
  }
  return at;
}

AXE_FN constexpr void add_leaf(layout& to, leaf const& d) {
  if (!to.profile.push(int{leaf_node}) || !to.map.shards.insert(0, digit_of(d)))
    to.broken_rule = rule::cute_too_large;
}
AXE_FN constexpr void add_group(layout& to, int entries) {
  if (!to.profile.push(entries)) to.broken_rule = rule::cute_too_large;
}
/// Drops the swizzle and the offset.
AXE_FN constexpr void add_part(layout& to, layout const& from, cursor at = {}) {
  for (int const last = skip(from, at).node; at.node < last; ++at.node)
    if (from.profile[at.node] == leaf_node)
      add_leaf(to, from[at.leaf++]);
    else
      add_group(to, from.profile[at.node]);
  if (from.broken_rule != rule::none) to.broken_rule = from.broken_rule;
}
AXE_FN constexpr cursor mode_at(layout const& l, cursor group, int k) {
  for (++group.node; k > 0; --k) group = skip(l, group);
  return group;
}
/// Mode k without the swizzle and offset. A leaf is its own mode.
AXE_FN constexpr layout plain_mode(layout const& l, int k) {
  layout part;
  add_part(part, l, l.profile[0] == leaf_node ? cursor{} : mode_at(l, {}, k));
  return part;
}

/// Digits are slowest first. An empty list becomes the leaf 1:0.
AXE_FN constexpr void add_mode(layout& to, iter_list const& digits) {
  if (digits.empty()) return add_leaf(to, {1, 0});
  if (digits.size() > 1) add_group(to, digits.size());
  for (int k = digits.size() - 1; k >= 0; --k) add_leaf(to, {digits[k].extent, digits[k].stride});
}
AXE_FN constexpr layout swizzled_like(layout inner, axe::layout const& like) {
  inner.map.swizzle = like.swizzle;
  inner.map.offsets = like.offsets;
  return inner;
}
AXE_FN constexpr layout flat(axe::layout const& map) {
  layout l;
  add_mode(l, map.shards);
  return swizzled_like(l, map);
}

AXE_FN constexpr integer size_of(axe::layout const& map) { return product_of_extents(map.shards); }
AXE_FN constexpr integer size_of(layout const& l) { return size_of(l.map); }

AXE_FN constexpr void pair_trees(layout& to, tree const& shape, tree const& stride) {
  if (shape.overflowed || stride.overflowed) {
    to.broken_rule = rule::cute_too_large;
    return;
  }
  if (shape.nodes.count != stride.nodes.count) to.broken_rule = rule::cute_not_congruent;
  for (int i = 0; i < shape.nodes.count && to.broken_rule == rule::none; ++i) {
    bool const group = shape.nodes.is_group(i);
    int const entries = shape.nodes.entries(i);
    if (group != stride.nodes.is_group(i) || entries != stride.nodes.entries(i))
      to.broken_rule = rule::cute_not_congruent;
    else if (group)
      add_group(to, entries);
    else
      add_leaf(to, {shape.nodes.value(i), stride.nodes.value(i)});
  }
}

}  // namespace detail

AXE_FN constexpr refusal check(layout const& l) {
  if (refusal const bad{l.broken_rule}) return bad;
  if (l.profile.empty()) return {rule::cute_not_congruent};
  for (int k = 0; k < l.leaf_count(); ++k)
    if (l[k].extent < 1) return {rule::cute_extent_below_one, {k, l[k].extent}};
  if (refusal const bad = detail::check_parameters(l.swizzle())) return bad;
  if (axe::check(l.map)) return {rule::cute_overflows};
  return {};
}

namespace detail {

AXE_FN constexpr outcome<layout> checked(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return l;
}
AXE_FN constexpr outcome<layout> flat_result(outcome<axe::layout> const& map) {
  if (map.why) return map.why;
  return checked(flat(*map));
}

}  // namespace detail

/// The number of top-level modes, 1 for a leaf.
AXE_FN constexpr int rank(layout const& l) {
  return l.profile.empty() ? 0 : l.profile[0] == leaf_node ? 1 : detail::entries_of(l.profile[0]);
}

/// Mode k with the swizzle and offset of l. Precondition: 0 <= k < rank(l).
AXE_FN constexpr layout mode(layout const& l, int k) {
  return detail::swizzled_like(detail::plain_mode(l, k), l.map);
}

AXE_FN constexpr outcome<integer> try_size(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::size_of(l);
}
AXE_FN constexpr integer size(layout const& l) { return detail::stop_on(try_size(l), "size"); }

/// The layout shape:stride. Both need the same nesting.
AXE_FN constexpr outcome<layout> try_make_layout(int_tuple const& shape, int_tuple const& stride) {
  layout l;
  detail::pair_trees(l, shape, stride);
  return detail::checked(l);
}
AXE_FN constexpr layout make_layout(int_tuple const& shape, int_tuple const& stride) {
  return detail::stop_on(try_make_layout(shape, stride), "make_layout");
}

/// The compact layout of a shape.
AXE_FN constexpr outcome<layout> try_make_layout(int_tuple const& shape) {
  int_tuple stride = shape;
  integer next = 1;
  for (int i = 0; i < shape.nodes.count; ++i) {
    if (shape.nodes.is_group(i)) continue;
    stride.nodes.numbers[i] = next;
    if (shape.nodes.value(i) < 1) break;
    if (!detail::multiply(next, shape.nodes.value(i))) return refusal{rule::cute_overflows};
  }
  return try_make_layout(shape, stride);
}
AXE_FN constexpr layout make_layout(int_tuple const& shape) {
  return detail::stop_on(try_make_layout(shape), "make_layout");
}

/// Only the first layout may have a swizzle or an offset, which the result gets.
template <class... Layouts>
AXE_FN constexpr outcome<layout> try_make_layout(layout const& first, Layouts const&... rest) {
  using namespace detail;
  layout all;
  add_group(all, 1 + static_cast<int>(sizeof...(rest)));
  add_part(all, first);
  (add_part(all, rest), ...);
  if (!(... && static_cast<layout const&>(rest).plain())) return refusal{rule::cute_is_composed};
  return checked(swizzled_like(all, first.map));
}
template <class... Layouts>
AXE_FN constexpr layout make_layout(layout const& first, Layouts const&... rest) {
  return detail::stop_on(try_make_layout(first, rest...), "make_layout");
}

namespace detail {

AXE_FN constexpr int_tuple tree_of(layout const& l, bool strides) {
  int_tuple t;
  t.nodes.clear();
  int next = 0;
  for (int node : l.profile)
    if (node != leaf_node)
      t.nodes.push(node, true);
    else
      t.nodes.push(strides ? l[next++].stride : l[next++].extent);
  return t;
}

}  // namespace detail

AXE_FN constexpr int_tuple shape_of(layout const& l) { return detail::tree_of(l, false); }
AXE_FN constexpr int_tuple stride_of(layout const& l) { return detail::tree_of(l, true); }

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
