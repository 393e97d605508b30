// SPDX-License-Identifier: MIT
// A layout: the places of a tensor's elements, as a value of fixed capacity.
//
//     L(x) = { D(x) + r + O : r in Delta(R) }
//     S[(8,2):(4@lane,1@reg)] + R[2:4@warp] + 5@warp        shards, replicas, offsets
//
// == compares as written; `equivalent` compares maps. Definition: docs/algebra.md, D1, D3.
#pragma once

#include <axe/layout/iter.hpp>
#include <axe/layout/swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The number of iters in each dimension of a grouped layout, packed to compile faster.
struct block_counts {
  detail::stl::uint64_t bytes[capacity::shards / 8]{};
  int count = 0;

  constexpr block_counts() = default;
  AXE_FN constexpr block_counts(initializer_list<integer> from) {
    for (integer held : from)
      if (!push(held)) detail::more_entries_than_a_list_holds();
  }
  /// Called in the host code that nvcc writes, as in base/list.hpp.
  AXE_FN constexpr block_counts(detail::stl::uint64_t const (&words)[3], int size)
      : bytes{words[0], words[1], words[2]}, count(size) {}

  /// False if full. A count outside 0 to 255 becomes 255, which `check` rejects.
  AXE_FN constexpr bool push(integer held) {
    if (count == capacity::shards) return false;
    detail::stl::uint64_t const byte =
        held < 0 || held > 255 ? 255 : static_cast<detail::stl::uint64_t>(held);
    bytes[count / 8] |= byte << (count % 8 * 8);
    ++count;
    return true;
  }
  AXE_FN constexpr void clear() {
    if (count > 0) *this = {};
  }

  AXE_FN constexpr int size() const { return count; }
  AXE_FN constexpr bool empty() const { return count == 0; }
  AXE_FN constexpr int operator[](int d) const {
    return static_cast<int>(bytes[d / 8] >> (d % 8 * 8) & 255);
  }

  AXE_FN constexpr detail::entry_iterator<block_counts> begin() const { return {this, 0}; }
  AXE_FN constexpr detail::entry_iterator<block_counts> end() const { return {this, count}; }

  constexpr bool operator==(block_counts const&) const = default;
};

struct [[nodiscard]] layout {
  axe::swizzle swizzle{};                   // applied last
  list<iter, capacity::shards> shards;      // D, slowest digit first
  list<iter, capacity::replicas> replicas;  // R
  list<term, capacity::offsets> offsets;    // O, without zeros
  block_counts blocks;                      // of a grouped layout, else empty

  constexpr bool operator==(layout const&) const = default;

  AXE_FN constexpr integer offset(axis a) const {
    for (term const& t : offsets)
      if (t.is_on(a)) return t.n;
    return 0;
  }
  AXE_FN constexpr bool grouped() const { return blocks.count != 0; }
};

using axis_list = list<axis, capacity::axes>;

namespace detail {

using iter_list = list<iter, capacity::shards>;
using replica_iters = list<iter, capacity::replicas>;

AXE_FN constexpr bool note_axis(axis_list& seen, axis a) {
  stl::uint64_t const number = number_of(a);
  if (number == 0) return true;  // axis::null
  for (int k = 0; k < seen.count; ++k)
    if (number_of(seen.at[k]) == number) return true;
  return seen.push(a);
}

AXE_FN constexpr bool note_axes(axis_list& seen, layout const& l) {
  for (int k = 0; k < l.shards.count; ++k)
    if (!note_axis(seen, l.shards.at[k].on)) return false;
  for (int k = 0; k < l.replicas.count; ++k)
    if (!note_axis(seen, l.replicas.at[k].on)) return false;
  for (int k = 0; k < l.offsets.count; ++k)
    if (!note_axis(seen, l.offsets.at[k].on)) return false;
  return true;
}

AXE_LAZY_FN constexpr iter_list iters_of_block(layout const& l, int d) {
  int first = 0;
  for (int b = 0; b < d; ++b) first += l.blocks[b];
  iter_list out;
  for (int k = 0; k < l.blocks[d]; ++k) out.push(l.shards[first + k]);
  return out;
}

AXE_FN constexpr bool has_replicas_or_offset(layout const& l) {
  return l.replicas.count > 0 || l.offsets.count > 0;
}

/// Appends R and O of l on the axes that `keeps` accepts. If it accepts m, also copies the swizzle.
AXE_FN constexpr void copy_kept(layout const& l, auto const& keeps, layout& into) {
  for (iter const& r : l.replicas)
    if (keeps(r.on)) into.replicas.push(r);
  for (term const& t : l.offsets)
    if (keeps(t.on)) into.offsets.push(t);
  if (keeps(axis::m)) into.swizzle = l.swizzle;
}

/// Orders O as axes_of orders axes, and drops zeros.
AXE_FN constexpr void order_offsets(layout& l) {
  if (l.offsets.count == 0) return;
  axis_list order;
  note_axes(order, l);
  list<term, capacity::offsets> sorted;
  for (axis a : order) {
    integer const n = l.offset(a);
    if (n != 0) sorted.push({n, a});
  }
  l.offsets = sorted;
}

}  // namespace detail

/// In order of first appearance in D, R, O, without the null axis.
AXE_FN constexpr axis_list axes_of(layout const& l) {
  axis_list seen;
  detail::note_axes(seen, l);
  return seen;
}

namespace detail {

struct layout_words {
  integer at[7 + 4 * capacity::shards + 3 * capacity::replicas + 3 * capacity::offsets]{};
  int count = 0;

  AXE_FN constexpr void push(integer word) { at[count++] = word; }
  AXE_FN constexpr void push(iter const& i) {
    push(i.extent);
    push(i.stride);
    push(static_cast<integer>(i.on));
  }
  AXE_LAZY_FN constexpr explicit layout_words(layout const& l) {
    push(l.swizzle.M);
    push(l.swizzle.B);
    push(l.swizzle.S);
    push(l.shards.count);
    push(l.replicas.count);
    push(l.offsets.count);
    push(l.blocks.count);
    for (iter const& i : l.shards) push(i);
    for (iter const& r : l.replicas) push(r);
    for (term const& t : l.offsets) push({1, t.n, t.on});
    for (int b : l.blocks) push(b);
  }
};

}  // namespace detail

/// A total order of values as written.
AXE_LAZY_FN constexpr bool operator<(layout const& a, layout const& b) {
  detail::layout_words const one(a);
  detail::layout_words const other(b);
  for (int k = 0; k < one.count && k < other.count; ++k)
    if (one.at[k] != other.at[k]) return one.at[k] < other.at[k];
  return false;
}

/// A hash of the value as written, equal in all programs.
AXE_LAZY_FN constexpr detail::stl::uint64_t hash(layout const& l) {
  detail::stl::uint64_t h = 0;
  detail::layout_words const words(l);
  for (int k = 0; k < words.count; ++k) {
    h ^=
        static_cast<detail::stl::uint64_t>(words.at[k]) + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
