// SPDX-License-Identifier: MIT
// Reads the iters of D and R after an opening bracket.
#pragma once

#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// `a`, `(a,b)` or `((a),(b,c),())`: the entries, and each block's length.
template <class T> struct tuple_text {
  static constexpr int max_entries = 32;
  T entries[max_entries]{};
  int count = 0;  // may exceed max_entries
  int blocks[max_entries]{};
  int block_count = 0;
  bool grouped = false;

  AXE_FN constexpr void push(T const& entry) {
    if (count < max_entries) entries[count] = entry;
    ++count;
  }
  AXE_FN constexpr void push_block(int length) {
    if (block_count < max_entries) blocks[block_count] = length;
    ++block_count;
  }
};

AXE_FN constexpr bool read_entry(reader& in, integer& extent) { return in.read_extent(extent); }
AXE_FN constexpr bool read_entry(reader& in, term& stride) {
  return in.read_term(stride, rule::expected_a_stride);
}

template <class T>
AXE_FN constexpr bool read_entries(reader& in, tuple_text<T>& tuple, bool may_hold_blocks) {
  if (in.take(')')) return true;
  do {
    if (may_hold_blocks && in.take('(')) {
      int const before = tuple.count;
      if (!read_entries(in, tuple, false)) return false;
      tuple.grouped = true;
      tuple.push_block(tuple.count - before);
      continue;
    }
    T entry{};
    if (!read_entry(in, entry)) return false;
    tuple.push(entry);
    if (may_hold_blocks) tuple.push_block(1);
  } while (in.take(','));
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

template <class T> AXE_FN constexpr bool read_tuple(reader& in, tuple_text<T>& tuple) {
  if (in.take('(')) return read_entries(in, tuple, true);
  T entry{};
  if (!read_entry(in, entry)) return false;
  tuple.push(entry);
  return true;
}

struct iters_text {
  tuple_text<integer> extents;
  tuple_text<term> strides;
  bool has_strides = false;

  AXE_FN constexpr bool read(reader& in, bool strides_required) {
    if (in.take(']')) return true;  // S[]: one element
    if (!read_tuple(in, extents)) return false;
    if (in.take(':')) {
      has_strides = true;
      int const start = in.position;
      if (!read_tuple(in, strides)) return false;
      if (strides.count != extents.count)
        return in.fail_at(start, rule::strides_do_not_match_extents, extents.count, strides.count);
      if (!require_same_blocks(in, start)) return false;
    } else if (in.next() == ',') {
      return in.fail(rule::several_need_parentheses);
    } else if (strides_required) {
      return in.fail(rule::expected_a_colon);
    }
    if (in.next() == ',') return in.fail(rule::several_need_parentheses);
    return in.require(']', has_strides ? rule::expected_a_closing_bracket : rule::expected_a_colon);
  }

  AXE_FN constexpr bool require_same_blocks(reader& in, int start) const {
    if (!extents.grouped && !strides.grouped) return true;
    integer const shorter = smaller(extents.block_count, strides.block_count);
    integer const longer = larger(extents.block_count, strides.block_count);
    for (int b = 0; b < smaller(longer, extents.max_entries); ++b)
      if (extents.grouped != strides.grouped || b >= shorter ||
          extents.blocks[b] != strides.blocks[b])
        return in.fail_at(start, rule::stride_blocks_do_not_match_extent_blocks, b);
    return true;
  }

  AXE_FN constexpr iter operator[](int k) const {
    return {extents.entries[k], strides.entries[k].n, strides.entries[k].on};
  }
};

AXE_FN constexpr bool read_shards(reader& in, layout& l) {
  iters_text found;
  if (!found.read(in, false)) return false;
  int const count = found.extents.count;
  if (count > capacity::shards) return in.fail_with({rule::too_many_shards, {count}});
  if (found.extents.block_count > capacity::shards)
    return in.fail_with({rule::too_many_shards, {found.extents.block_count}});
  integer stride = 1;
  if (!found.has_strides)
    for (int k = count - 1; k >= 0; --k) {
      found.strides.entries[k] = {stride, axis::m};
      if (k > 0 && !multiply(stride, found.extents.entries[k]))
        return in.fail_with({rule::size_overflows});
    }
  for (int k = 0; k < count; ++k) l.shards.push(found[k]);
  if (found.extents.grouped)
    for (int b = 0; b < found.extents.block_count; ++b) l.blocks.push(found.extents.blocks[b]);
  return true;
}

AXE_FN constexpr bool read_replicas(reader& in, layout& l) {
  iters_text found;
  if (!found.read(in, true)) return false;
  for (int k = 0; k < found.extents.count; ++k)
    if (k >= found.extents.max_entries || !l.replicas.push(found[k]))
      return in.fail_with({rule::too_many_replicas});
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
