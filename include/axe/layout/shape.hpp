// SPDX-License-Identifier: MIT
// A shape and a coordinate: tuples of integers, possibly nested. The last entry varies fastest.
//
//     shape{8, 16}              coordinate{2, 9}
//     shape{{2, 4}, 16}         coordinate{{0, 2}, 9}, or coordinate{2, 9}
//
// Definition: docs/algebra.md, D3.
#pragma once

#include <axe/base/list.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// At most 48 nodes, groups before their entries. Packed to compile faster.
struct tree_nodes {
  integer numbers[48]{};             // the integer, or the number of entries of a group
  detail::stl::uint64_t groups = 0;  // bit i: node i is a group
  int count = 0;

  static constexpr int capacity = 48;

  AXE_FN constexpr bool push(integer number, bool group = false) {
    if (count == capacity) return false;
    if (group) groups |= detail::stl::uint64_t{1} << count;
    numbers[count++] = number;
    return true;
  }
  AXE_FN constexpr void clear() { *this = {}; }

  AXE_FN constexpr bool is_group(int i) const { return (groups >> i & 1) != 0; }
  AXE_FN constexpr bool is_integer(int i) const { return !is_group(i); }
  AXE_FN constexpr integer value(int i) const { return numbers[i]; }
  AXE_FN constexpr int entries(int i) const {
    return is_group(i) ? static_cast<int>(numbers[i]) : 0;
  }

  AXE_FN constexpr bool empty() const { return count == 0; }

  AXE_FN friend constexpr bool operator==(tree_nodes const& a, tree_nodes const& b) {
    return a.count == b.count && a.groups == b.groups &&
           detail::equal_entries(a.numbers, b.numbers);
  }
};

/// An integer, or a group of trees. `overflowed`: more than 48 nodes, which operations reject.
struct tree {
  tree_nodes nodes;
  bool overflowed = false;

  constexpr tree() = default;
  AXE_FN constexpr explicit tree(integer value) { nodes.push(value); }
  AXE_FN static constexpr tree group() {
    tree t;
    t.nodes.push(0, true);
    return t;
  }

  constexpr bool operator==(tree const&) const = default;

  AXE_FN constexpr bool is_integer() const { return nodes.count == 1 && nodes.groups == 0; }
  AXE_FN constexpr int rank() const {
    if (nodes.empty()) return 0;
    return nodes.is_integer(0) ? 1 : nodes.entries(0);
  }

  /// Precondition: the root is a group or empty.
  AXE_FN constexpr void append(integer entry) {
    if (nodes.empty()) nodes.push(0, true);
    ++nodes.numbers[0];
    if (!nodes.push(entry)) overflowed = true;
  }
  AXE_FN constexpr void append(tree const& entry) {
    if (nodes.empty()) nodes.push(0, true);
    ++nodes.numbers[0];
    overflowed = overflowed || entry.overflowed;
    for (int i = 0; i < entry.nodes.count; ++i)
      if (!nodes.push(entry.nodes.value(i), entry.nodes.is_group(i))) overflowed = true;
  }

  /// The node after the subtree at node i.
  AXE_FN constexpr int skip(int i) const {
    int open = 1;
    while (open > 0 && i < nodes.count) {
      open += nodes.entries(i) - 1;
      ++i;
    }
    return i;
  }
  /// The node where entry k of the root starts.
  AXE_FN constexpr int entry(int k) const {
    if (nodes.is_integer(0)) return 0;
    int i = 1;
    for (; k > 0; --k) i = skip(i);
    return i;
  }
  AXE_LAZY_FN constexpr tree operator[](int k) const {
    tree part;
    for (int i = entry(k), last = skip(i); i < last; ++i)
      part.nodes.push(nodes.value(i), nodes.is_group(i));
    return part;
  }
};

namespace detail {
/// Such as cute::Int<4>. `*&C::value` compiles for a static member only.
template <class C>
concept static_integer = requires { integer{*&C::value}; };
}  // namespace detail

/// An entry in the braces of a shape or coordinate. No constructor takes a shape, so that
/// `shape{s}` copies s.
struct tree_entry {
  integer value = 0;
  initializer_list<tree_entry> entries{};
  bool group = false;

  AXE_FN constexpr tree_entry(integer n) : value(n) {}
  template <detail::static_integer C> AXE_FN constexpr tree_entry(C) : value(C::value) {}
  AXE_FN constexpr tree_entry(initializer_list<tree_entry> inner) : entries(inner), group(true) {}
};

namespace detail {

AXE_FN constexpr void append_entries(tree& t, initializer_list<tree_entry> entries) {
  if (!t.nodes.push(static_cast<int>(entries.size()), true)) t.overflowed = true;
  for (tree_entry const& e : entries) {
    if (e.group)
      append_entries(t, e.entries);
    else if (!t.nodes.push(e.value))
      t.overflowed = true;
  }
}

}  // namespace detail

/// A bare integer is a shape of rank 1.
struct shape : tree {
  AXE_FN constexpr shape() : tree(group()) {}
  AXE_FN constexpr shape(integer extent) : tree(group()) { append(extent); }
  template <detail::static_integer C> AXE_FN constexpr shape(C) : shape(integer{C::value}) {}
  AXE_FN constexpr shape(initializer_list<tree_entry> extents) {
    detail::append_entries(*this, extents);
  }
  AXE_FN constexpr explicit shape(tree const& extents) : tree(extents) {
    if (tree::is_integer()) *this = shape(nodes.value(0));
  }

  /// Precondition: no entry is a group.
  AXE_FN constexpr integer extent(int d) const { return nodes.value(d + 1); }

  constexpr bool operator==(shape const&) const = default;
};

/// One index for each entry of a shape. An integer in place of a group is its row-major index.
struct coordinate : tree {
  AXE_FN constexpr coordinate() : tree(group()) {}
  AXE_FN constexpr coordinate(integer position) : tree(position) {}
  template <detail::static_integer C> AXE_FN constexpr coordinate(C) : tree(integer{C::value}) {}
  AXE_FN constexpr coordinate(initializer_list<tree_entry> entries) {
    detail::append_entries(*this, entries);
  }
  AXE_FN constexpr explicit coordinate(tree const& entries) : tree(entries) {}

  constexpr bool operator==(coordinate const&) const = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
