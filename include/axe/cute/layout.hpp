// cute::layout: a nested shape and nested strides as CuTe writes them, first mode fastest.
//
//     (4,2):(1,4)                       4 rows next to each other, columns 4 apart
//     ((2,4),8):((1,16),2)              a mode may be a group of modes
//     Sw<3,4,3> o 0 o (8,128):(128,1)   an XOR of the address, B, M, S in CuTe's order, and an offset before it
//
//     L(i) = swizzle(offset + sum of c_k * d_k),   c = the digits of i, first extent fastest               0 <= i < size(L)
//
// The convention, once: CuTe counts first mode fastest, axe last dimension fastest. `to_axe` turns
// the order of the modes around, so that index i is the same element on both sides; `from_axe`
// turns it back. A value, like axe::layout: == compares what is written, `check` says whether it is
// a layout, and every operation of axe/cute.hpp asks it first. Source: the CuTe documentation,
// "CuTe Layouts" and "CuTe Layout Algebra".
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/layout/layout.hpp>
#include <axe/layout/shape.hpp>
#include <axe/map/steps.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

/// Integers nested in groups, as CuTe's IntTuple: 6, {4, 2}, {{2, 4}, 8}. An integer is not a group
/// of one.
using int_tuple = coordinate;

/// One extent with its stride.
struct leaf {
  integer extent = 0;
  integer stride = 0;

  AXE_FN friend constexpr bool operator==(leaf const&, leaf const&) = default;
};

using leaf_list = list<leaf, capacity::shards>;

/// How the leaves are nested, in preorder: `leaf_node`, or how many entries a group has.
inline constexpr int leaf_node = -1;
using profile = list<int, 48>;

/// Why a value is no layout although it was written as one.
enum class flaw : int { none, too_large, not_congruent, composed };

struct layout {
  axe::swizzle swizzle{};
  integer offset = 0;  // before the swizzle
  leaf_list leaves;
  cute::profile profile;
  cute::flaw flaw = cute::flaw::none;

  constexpr layout() = default;
  AXE_FN friend constexpr bool operator==(layout const&, layout const&) = default;

  /// No swizzle and no offset: what CuTe calls Layout; the others are its ComposedLayout.
  AXE_FN constexpr bool plain() const { return swizzle.none() && offset == 0; }
};

namespace detail {

using namespace axe::detail;

/// A place in a layout's tree: a node, and the leaf that is next there.
struct cursor {
  int node = 0;
  int leaf = 0;
};

/// Entries of a node. A tiler marks a group whose entries are tilers of their own by -2 - entries.
AXE_FN constexpr int entries_of(int node) {
  return node >= 0 ? node : node == leaf_node ? 0 : -2 - node;
}

/// Behind the subtree at `at`.
AXE_FN constexpr cursor skip(layout const& l, cursor at) {
  for (int open = 1; open > 0 && at.node < l.profile.count; ++at.node) {
    int const node = l.profile.at[at.node];
    if (node == leaf_node) ++at.leaf;
    open += entries_of(node) - 1;
  }
  return at;
}
AXE_FN constexpr cursor entry(layout const& l, cursor group, int k) {
  if (l.profile[group.node] == leaf_node) return group;
  cursor at{group.node + 1, group.leaf};
  for (; k > 0; --k) at = skip(l, at);
  return at;
}

AXE_FN constexpr void add_leaf(layout& to, integer extent, integer stride) {
  if (!to.profile.push(int{leaf_node}) || !to.leaves.push({extent, stride}))
    to.flaw = flaw::too_large;
}
AXE_FN constexpr void add_group(layout& to, int entries) {
  if (!to.profile.push(entries)) to.flaw = flaw::too_large;
}
/// The subtree at `at`, without swizzle and offset.
AXE_FN constexpr void add_part(layout& to, layout const& from, cursor at) {
  cursor const last = skip(from, at);
  for (int i = at.node; i < last.node; ++i)
    if (!to.profile.push(from.profile[i])) to.flaw = flaw::too_large;
  for (int i = at.leaf; i < last.leaf; ++i)
    if (!to.leaves.push(from.leaves[i])) to.flaw = flaw::too_large;
  if (from.flaw != flaw::none) to.flaw = from.flaw;
}
AXE_FN constexpr void add_all(layout& to, layout const& from) { add_part(to, from, {}); }

/// Several leaves as one mode: alone, as a group, or 1:0.
AXE_FN constexpr void add_mode(layout& to, leaf_list const& leaves) {
  if (leaves.empty()) return add_leaf(to, 1, 0);
  if (leaves.size() > 1) add_group(to, leaves.size());
  for (leaf const& l : leaves) add_leaf(to, l.extent, l.stride);
}
AXE_FN constexpr layout of_leaves(leaf_list const& leaves) {
  layout l;
  add_mode(l, leaves);
  return l;
}
/// The layout extent:stride.
AXE_FN constexpr layout single(integer extent, integer stride) {
  layout l;
  add_leaf(l, extent, stride);
  return l;
}

AXE_FN constexpr integer size_of(layout const& l) {
  integer n = 1;
  for (leaf const& d : l.leaves) n *= d.extent;
  return n;
}

/// Before offset and swizzle.
AXE_FN constexpr integer plain_at(leaf_list const& leaves, integer i) {
  integer at = 0;
  for (leaf const& d : leaves) {
    at += i % d.extent * d.stride;
    i /= d.extent;
  }
  return at;
}
AXE_FN constexpr integer value_at(layout const& l, integer i) {
  return l.swizzle(l.offset + plain_at(l.leaves, i));
}

/// Copies swizzle and offset.
AXE_FN constexpr layout wrapped_as(layout inner, layout const& like) {
  inner.swizzle = like.swizzle;
  inner.offset = like.offset;
  return inner;
}

/// Shape and strides walked side by side.
AXE_FN constexpr void pair_trees(layout& to, tree const& shape, tree const& stride) {
  if (shape.full || stride.full) {
    to.flaw = flaw::too_large;
    return;
  }
  if (shape.nodes.count != stride.nodes.count) to.flaw = flaw::not_congruent;
  for (int i = 0; i < shape.nodes.count && to.flaw == flaw::none; ++i) {
    tree_node const e = shape.nodes[i];
    tree_node const d = stride.nodes[i];
    if (e.group != d.group || e.entries != d.entries)
      to.flaw = flaw::not_congruent;
    else if (e.group)
      add_group(to, e.entries);
    else
      add_leaf(to, e.value, d.value);
  }
}

/// The plain reach [least, largest] of offset and leaves, false when it leaves 64 bits.
AXE_FN constexpr bool plain_reach(layout const& l, interval& reach) {
  reach = {};
  for (leaf const& d : l.leaves)
    if (!extend(reach, {d.extent, d.stride, axis::m})) return false;
  if (!add(reach.least, l.offset) || !add(reach.largest, l.offset)) return false;
  integer span = reach.largest;
  return reach.least != smallest && reach.largest != largest && add(span, -reach.least) &&
         add(span, 1);
}

}  // namespace detail

/// The rule that l breaks as a layout, or a refusal with rule::none.
AXE_FN constexpr refusal check(layout const& l) {
  if (l.flaw == flaw::too_large) return {rule::cute_too_large};
  if (l.flaw == flaw::composed) return {rule::cute_is_composed};
  if (l.flaw == flaw::not_congruent || l.profile.empty()) return {rule::cute_not_congruent};
  integer size = 1;
  for (int k = 0; k < l.leaves.count; ++k) {
    if (l.leaves.at[k].extent < 1) return {rule::cute_extent_below_one, {k, l.leaves.at[k].extent}};
    if (!detail::multiply(size, l.leaves.at[k].extent)) return {rule::cute_overflows};
  }
  if (refusal const bad = detail::check_parameters(l.swizzle)) return bad;
  detail::interval reach;
  if (!detail::plain_reach(l, reach)) return {rule::cute_overflows};
  if (!l.swizzle.none() && (!detail::add(reach.largest, l.swizzle.period()) ||
                            !detail::add(reach.least, -l.swizzle.period())))
    return {rule::cute_overflows};
  return {};
}

/// Top-level modes; a layout that is one leaf has one.
AXE_FN constexpr int rank(layout const& l) {
  return l.profile.empty() ? 0 : l.profile[0] == leaf_node ? 1 : detail::entries_of(l.profile[0]);
}

/// Mode k with the swizzle and the offset of the whole. Precondition: 0 <= k < rank(l).
AXE_FN constexpr layout mode(layout const& l, int k) {
  layout part;
  detail::add_part(part, l, detail::entry(l, {}, k));
  return detail::wrapped_as(part, l);
}

/// Elements, the product of all extents.
AXE_FN constexpr outcome<integer> try_size(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  return detail::size_of(l);
}
AXE_FN constexpr integer size(layout const& l) {
  outcome<integer> const result = try_size(l);
  if (!result) detail::stop_on(result.why, "size", {});
  return *result;
}

/// L(i), i the number of the element, first mode fastest. Refused: outside 0 to size - 1.
AXE_FN constexpr outcome<integer> try_at(layout const& l, integer i) {
  if (refusal const bad = check(l)) return bad;
  if (i < 0 || i >= detail::size_of(l))
    return refusal{rule::cute_index_outside, {i, detail::size_of(l) - 1}};
  return detail::value_at(l, i);
}

AXE_FN constexpr outcome<layout> try_make_layout(int_tuple const& shape, int_tuple const& stride) {
  layout l;
  detail::pair_trees(l, shape, stride);
  if (refusal const bad = check(l)) return bad;
  return l;
}
/// shape:stride, nested alike.
AXE_FN constexpr layout make_layout(int_tuple const& shape, int_tuple const& stride) {
  outcome<layout> const result = try_make_layout(shape, stride);
  if (!result) detail::stop_on(result.why, "make_layout", {});
  return *result;
}

AXE_FN constexpr outcome<layout> try_make_layout(int_tuple const& shape) {
  layout l;
  detail::pair_trees(l, shape, shape);
  integer next = 1;
  for (leaf& d : l.leaves) {
    d.stride = next;
    if (d.extent < 1) return check(l);
    if (!detail::multiply(next, d.extent)) return refusal{rule::cute_overflows};
  }
  if (refusal const bad = check(l)) return bad;
  return l;
}
/// Compact, first mode fastest: 1, then the products of the extents before.
AXE_FN constexpr layout make_layout(int_tuple const& shape) {
  outcome<layout> const result = try_make_layout(shape);
  if (!result) detail::stop_on(result.why, "make_layout", {});
  return *result;
}

/// Layouts side by side as the modes of one: (A, B). Only the first may have a swizzle or an
/// offset; it stays outside.
template <class... Layouts>
AXE_FN constexpr outcome<layout> try_make_layout(layout const& first, Layouts const&... rest) {
  layout all;
  detail::add_group(all, 1 + static_cast<int>(sizeof...(rest)));
  detail::add_all(all, first);
  (detail::add_all(all, rest), ...);
  if ((false || ... || !static_cast<layout const&>(rest).plain()))
    return refusal{rule::cute_is_composed};
  all = detail::wrapped_as(all, first);
  if (refusal const bad = check(all)) return bad;
  return all;
}
template <class... Layouts>
AXE_FN constexpr layout make_layout(layout const& first, Layouts const&... rest) {
  outcome<layout> const result = try_make_layout(first, rest...);
  if (!result) detail::stop_on(result.why, "make_layout", {});
  return *result;
}

/// The tree of the extents, or of the strides.
AXE_FN constexpr int_tuple shape_of(layout const& l) {
  int_tuple t;
  t.nodes.clear();
  int next = 0;
  for (int node : l.profile)
    t.nodes.push(node == leaf_node ? tree_node{l.leaves[next++].extent, 0, false}
                                   : tree_node{0, node, true});
  return t;
}
AXE_FN constexpr int_tuple stride_of(layout const& l) {
  int_tuple t;
  t.nodes.clear();
  int next = 0;
  for (int node : l.profile)
    t.nodes.push(node == leaf_node ? tree_node{l.leaves[next++].stride, 0, false}
                                   : tree_node{0, node, true});
  return t;
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
