// SPDX-License-Identifier: MIT
// Reads the notation. The reader accepts exactly the layouts that `check` accepts.
//
//     layout  := [swizzle(M,B,S) o] S[extents[:strides]] {+ R[extents:strides] | (+|-) term}
//     extents := 8 | (8,2,4) | ((8),(2,4),())      term := 5@warp | 128
//
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// The text `a`, `(a,b)` or `((a),(b,c),())`: its entries, and the length of each block.
template <class T> struct tuple_text {
  static constexpr int most = 32;
  T entries[most]{};
  int count = 0;  // may exceed `most`
  int blocks[most]{};
  int block_count = 0;
  bool grouped = false;

  AXE_FN constexpr void push(T const& entry) {
    if (count < most) entries[count] = entry;
    ++count;
  }
  AXE_FN constexpr void push_block(int held) {
    if (block_count < most) blocks[block_count] = held;
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
      if (!blocks_match(in, start)) return false;
    } else if (in.next() == ',') {
      return in.fail(rule::several_need_parentheses);
    } else if (strides_required) {
      return in.fail(rule::expected_a_colon);
    }
    if (in.next() == ',') return in.fail(rule::several_need_parentheses);
    return in.require(']', has_strides ? rule::expected_a_closing_bracket : rule::expected_a_colon);
  }

  AXE_FN constexpr bool blocks_match(reader& in, int start) const {
    if (!extents.grouped && !strides.grouped) return true;
    int const known = extents.block_count < extents.most ? extents.block_count : extents.most;
    for (int b = 0; b < known; ++b)
      if (extents.grouped != strides.grouped || extents.blocks[b] != strides.blocks[b])
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
    if (k >= found.extents.most || !l.replicas.push(found[k]))
      return in.fail_with({rule::too_many_replicas, {l.replicas.count + found.extents.count - k}});
  return true;
}

/// The value n + carries * 2^64. Only the sum of all offsets on an axis must fit in 64 bits.
struct pending_offset {
  integer n = 0;
  axis on = axis::null;
  int carries = 0;
  int carried_at = 0;  // the position of the last term that overflowed

  AXE_FN constexpr void add(integer more, int start) {
    if (detail::add(n, more)) return;
    n = static_cast<integer>(static_cast<stl::uint64_t>(n) + static_cast<stl::uint64_t>(more));
    carries += more > 0 ? 1 : -1;
    carried_at = start;
  }
};

/// The sum of the offsets on each axis. Sums of 0 are dropped later.
using offset_sum = list<pending_offset, 2 * capacity::axes>;

AXE_FN constexpr bool add_offset(reader& in, offset_sum& sum, term t, int start) {
  if (t.n == 0 || t.is_on(axis::null)) return true;
  for (pending_offset& mine : sum)
    if (t.is_on(mine.on)) {
      mine.add(t.n, start);
      return true;
    }
  return sum.push({t.n, t.on}) || in.fail_with({rule::too_many_offsets, {sum.count + 1}});
}

AXE_FN constexpr bool finish_offsets(reader& in, offset_sum const& offsets, layout& l) {
  int kept = 0;
  for (pending_offset const& sum : offsets) {
    if (sum.carries != 0) return in.fail_with({rule::offsets_overflow, {sum.carried_at}, {sum.on}});
    if (sum.n == 0) continue;
    ++kept;
    l.offsets.push({sum.n, sum.on});
  }
  if (kept > capacity::offsets) return in.fail_with({rule::too_many_offsets, {kept}});
  axis_list axes;
  if (!note_axes(axes, l)) return in.fail_with({rule::too_many_axes});
  order_offsets(l);
  return true;
}

AXE_FN constexpr bool read_offset(reader& in, offset_sum& sum, bool negative) {
  in.skip_spaces();
  int const start = in.position;
  term t;
  if (!in.read_term(t, rule::expected_a_replica_or_an_offset)) return false;
  if (negative) {
    if (t.n == smallest) return in.fail_at(start, rule::number_beyond_64_bits);
    t.n = -t.n;
  }
  return add_offset(in, sum, t, start);
}

AXE_FN constexpr bool read_swizzle(reader& in, axe::swizzle& w) {
  in.skip_spaces();
  int const start = in.position;
  if (!in.require('(', rule::expected_a_swizzle_parameter)) return false;
  constexpr char const* names[3] = {"M", "B", "S"};
  integer values[3]{};
  bool const named = in.next() == 'M';
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !in.require(',', rule::expected_a_swizzle_parameter)) return false;
    if (named && !(in.take_word(names[i]) && in.take('=')))
      return in.fail(rule::expected_a_swizzle_parameter);
    if (!in.read_integer(values[i], rule::expected_a_swizzle_parameter)) return false;
  }
  if (!in.require(')', rule::expected_a_closing_parenthesis)) return false;
  int small[3]{};
  for (int i = 0; i < 3; ++i)  // all values beyond 48 are invalid
    small[i] = static_cast<int>(values[i] > 49 ? 49 : values[i] < -49 ? -49 : values[i]);
  w = {small[0], small[1], small[2]};
  if (w.B == 0 && w.M >= 0) w = axe::swizzle{};
  refusal const bad = check_parameters(w);
  if (!bad) return true;
  return in.fail_at(start,
                    bad.which == rule::swizzle_parameters ? rule::swizzle_is_not_a_permutation
                                                          : rule::swizzle_period_is_too_long,
                    values[0], values[1], values[2]);
}

}  // namespace detail

/// Reads the longest possible layout.
AXE_FN constexpr bool read(reader& in, layout& l) {
  l = layout{};
  if (in.take_word("swizzle")) {
    if (!detail::read_swizzle(in, l.swizzle)) return false;
    if (!in.take_word("o")) return in.fail(rule::expected_the_composition_sign);
  }
  if (!in.take_word("S") || !in.take('[')) return in.fail(rule::expected_a_layout);
  if (!detail::read_shards(in, l)) return false;
  detail::offset_sum offsets;
  while (in.next() == '+' || in.next() == '-') {
    bool const negative = in.next() == '-';
    in.take(in.next());
    if (!negative && in.sees("R", '[')) {
      in.take_word("R");
      in.take('[');
      if (!detail::read_replicas(in, l)) return false;
    } else if (!detail::read_offset(in, offsets, negative)) {
      return false;
    }
  }
  if (!detail::finish_offsets(in, offsets, l)) return false;
  refusal const invalid = check(l);
  return !invalid || in.fail_with(invalid);
}

/// Reads `(8,16)`, `((2,4),16)` or an integer. With a rule other than a shape's, CuTe's `_8` is
/// also accepted.
AXE_FN constexpr bool read(reader& in, tree& t, rule otherwise = rule::expected_a_shape,
                           int depth = 0) {
  if (in.next() != '(') {
    integer value = 0;
    if (otherwise != rule::expected_a_shape) in.take('_');
    if (!in.read_integer(value, otherwise)) return false;
    t = tree(value);
    return true;
  }
  in.take('(');
  if (depth > tree{}.nodes.capacity) return in.fail_with({rule::shape_is_too_large_a_tree});
  t = tree::group();
  if (in.take(')')) return true;
  do {
    tree entry;
    if (!read(in, entry, otherwise, depth + 1)) return false;
    t.append(entry);
  } while (in.take(','));
  if (t.full) return in.fail_with({rule::shape_is_too_large_a_tree});
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

AXE_FN constexpr bool read(reader& in, place& p) {
  p = place{};
  bool negative = in.take('-');
  do {
    in.skip_spaces();
    int const start = in.position;
    term t;
    if (!in.read_term(t, rule::expected_a_place)) return false;
    if (negative && t.n == detail::smallest) return in.fail_at(start, rule::number_beyond_64_bits);
    if (negative) t.n = -t.n;
    integer sum = p[t.on];
    if (!detail::add(sum, t.n)) return in.fail_at(start, rule::number_beyond_64_bits);
    if (!p.add(t)) return in.fail_with({rule::too_many_axes});
    negative = in.next() == '-';
  } while (in.take('+') || in.take('-'));
  return true;
}

namespace detail {

AXE_FN constexpr int length_of(char const* characters) {
  int n = 0;
  while (characters[n] != '\0') ++n;
  return n;
}

template <class T>
AXE_FN constexpr outcome<T> read_all(char const* characters, int length, declared_axes known) {
  reader in{characters, length, 0, known};
  T value;
  if (!read(in, value)) return in.refusal;
  if (in.next() != '\0' || in.position < in.length) {
    in.fail(rule::expected_the_end);
    return in.refusal;
  }
  return value;
}

/// The layout that was read before a mistake, for its message.
AXE_FN constexpr layout layout_so_far(char const* characters, int length, declared_axes known) {
  reader in{characters, length, 0, known};
  layout l;
  read(in, l);
  return l;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_parse(char const* characters, int length,
                                           declared_axes known = {}) {
  return detail::read_all<layout>(characters, length, known);
}
AXE_FN constexpr outcome<layout> try_parse(char const* characters, declared_axes known = {}) {
  return try_parse(characters, detail::length_of(characters), known);
}
template <class Text>
  requires requires(Text const& t) {
    static_cast<char const*>(t.data()), static_cast<int>(t.size());
  }
AXE_FN constexpr outcome<layout> try_parse(Text const& text, declared_axes known = {}) {
  return try_parse(text.data(), static_cast<int>(text.size()), known);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
