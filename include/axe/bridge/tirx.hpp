// SPDX-License-Identifier: MIT
// Reads and writes layouts as TIRx prints them.
//
//     T.TileLayout(T.S[(8, 2):(4 @ Axis.laneid, 1)])        S[(8,2):(4@lane,1)]
//
// Numbers beyond 32 bits are T.int64(n). `T.` and `Axis.` are optional when reading. Printing drops
// blocks and writes the null axis as 0@m. TIRx rejects swizzles with |S| < B. Source: apache-tvm
// 0.27.
#pragma once

#include <axe/bridge/tirx/print_tirx.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail::tirx {

AXE_FN constexpr void take_prefix(reader& in, char const* word) {
  if (!in.sees(word, '.')) return;
  in.take_word(word);
  in.take('.');
}

AXE_FN constexpr bool read_number(reader& in, integer& n, rule otherwise) {
  take_prefix(in, "T");
  bool const wide = in.take_word("int64") || in.take_word("int32");
  if (wide && !in.require('(', rule::expected_a_number)) return false;
  return in.read_integer(n, otherwise) &&
         (!wide || in.require(')', rule::expected_a_closing_parenthesis));
}

AXE_FN constexpr bool read_term(reader& in, term& t, rule otherwise) {
  t.on = axis::m;
  if (!read_number(in, t.n, otherwise)) return false;
  if (!in.take('@')) return true;
  take_prefix(in, "Axis");
  return in.read_axis(t.on);
}

struct extent {
  integer n = 1;
};
struct stride {
  term step;
};

AXE_FN constexpr bool read_entry(reader& in, extent& e) {
  in.skip_spaces();
  int const start = in.position;
  if (!read_number(in, e.n, rule::expected_an_extent)) return false;
  return e.n > 0 || in.fail_at(start, rule::extent_too_small, e.n);
}
AXE_FN constexpr bool read_entry(reader& in, stride& s) {
  return read_term(in, s.step, rule::expected_a_stride);
}

template <class T>
AXE_FN constexpr bool read_one_or_several(reader& in, detail::tuple_text<T>& tuple) {
  if (in.take('(')) return detail::read_entries(in, tuple, false);
  T entry{};
  if (!read_entry(in, entry)) return false;
  tuple.push(entry);
  return true;
}

template <int Capacity>
AXE_FN constexpr bool read_iters(reader& in, list<iter, Capacity>& iters, rule full) {
  detail::tuple_text<extent> extents;
  detail::tuple_text<stride> strides;
  if (!in.take('[')) return in.fail(rule::expected_a_layout);
  if (!read_one_or_several(in, extents)) return false;
  if (!in.require(':', rule::expected_a_colon)) return false;
  in.skip_spaces();
  int const start = in.position;
  if (!read_one_or_several(in, strides)) return false;
  if (strides.count != extents.count)
    return in.fail_at(start, rule::strides_do_not_match_extents, extents.count, strides.count);
  if (!in.require(']', rule::expected_a_closing_bracket)) return false;
  for (int i = 0; i < extents.count; ++i)
    if (i >= extents.max_entries ||
        !iters.push({extents.entries[i].n, strides.entries[i].step.n, strides.entries[i].step.on}))
      return in.fail_with({full, {iters.size() + extents.count - i}});
  return true;
}

AXE_FN constexpr bool read_offset_term(reader& in, detail::offset_sum& sum) {
  in.skip_spaces();
  int const start = in.position;
  term t;
  return read_term(in, t, rule::expected_a_replica_or_an_offset) &&
         detail::add_offset(in, sum, t, start);
}

AXE_FN constexpr bool read_part(reader& in, layout& l, detail::offset_sum& sum, bool first) {
  if (!first && in.take('(')) {
    do
      if (!read_offset_term(in, sum)) return false;
    while (in.take('+'));
    return in.require(')', rule::expected_a_closing_parenthesis);
  }
  int const start = in.position;
  take_prefix(in, "T");
  if (first && in.sees("S", '['))
    return in.take_word("S") && read_iters(in, l.shards, rule::too_many_shards);
  if (in.sees("R", '['))
    return in.take_word("R") && read_iters(in, l.replicas, rule::too_many_replicas);
  in.position = start;
  return first ? in.fail(rule::expected_a_layout) : read_offset_term(in, sum);
}

/// Reads `offset={"m": 3})`, or `)` without offsets.
AXE_FN constexpr bool read_bare_offsets(reader& in, detail::offset_sum& sum) {
  if (in.take(')')) return true;
  if (!in.take_word("offset") || !in.take('=') || !in.take('{'))
    return in.fail(rule::expected_a_closing_parenthesis);
  do {
    in.skip_spaces();
    int const start = in.position;
    term t;
    if (!in.require('"', rule::expected_an_axis) || !in.read_axis(t.on) ||
        !in.require('"', rule::expected_an_axis))
      return false;
    if (!in.require(':', rule::expected_a_number) || !read_number(in, t.n, rule::expected_a_number))
      return false;
    if (!detail::add_offset(in, sum, t, start)) return false;
  } while (in.take(','));
  return in.require('}', rule::expected_a_number) &&
         in.require(')', rule::expected_a_closing_parenthesis);
}

AXE_FN constexpr bool read_tiles(reader& in, layout& l) {
  take_prefix(in, "T");
  if (!in.take_word("TileLayout")) return in.fail(rule::expected_a_layout);
  detail::offset_sum offsets;
  if (in.take('.')) {
    if (!in.take_word("from_iters") || !in.take('(')) return in.fail(rule::expected_a_layout);
    if (!read_bare_offsets(in, offsets)) return false;
  } else {
    if (!in.require('(', rule::expected_a_layout)) return false;
    bool first = true;
    do {
      if (!read_part(in, l, offsets, first)) return false;
      first = false;
    } while (in.take('+'));
    if (!in.require(')', rule::expected_a_closing_parenthesis)) return false;
  }
  return detail::finish_offsets(in, offsets, l);
}

/// Reads `(M, B, S, tiles [, swizzle_inner=False])`. False means a negative S.
AXE_FN constexpr bool read_composed(reader& in, layout& l) {
  if (!in.require('(', rule::expected_a_layout)) return false;
  in.skip_spaces();
  int const start = in.position;
  integer values[3]{};
  for (integer& value : values)
    if (!read_number(in, value, rule::expected_a_swizzle_parameter) ||
        !in.require(',', rule::expected_a_swizzle_parameter))
      return false;
  if (!read_tiles(in, l)) return false;
  bool inner = true;
  if (in.take(',')) {
    if (!in.take_word("swizzle_inner") || !in.take('='))
      return in.fail(rule::expected_a_swizzle_parameter);
    inner = in.take_word("True");
    if (!inner && !in.take_word("False")) return in.fail(rule::expected_a_swizzle_parameter);
  }
  if (values[2] < 0) return in.fail_at(start, rule::expected_a_swizzle_parameter);
  if (!inner) values[2] = -values[2];
  return detail::set_swizzle(in, start, values, l.swizzle) &&
         in.require(')', rule::expected_a_closing_parenthesis);
}

}  // namespace detail::tirx

AXE_FN constexpr bool read_tirx(reader& in, layout& l) {
  l = layout{};
  int const start = in.position;
  detail::tirx::take_prefix(in, "T");
  if (in.take_word("ComposeLayout")) return detail::tirx::read_composed(in, l);
  in.position = start;
  return detail::tirx::read_tiles(in, l);
}

AXE_FN constexpr outcome<layout> try_parse_tirx(char const* characters, int length,
                                                declared_axes known = {}) {
  reader in{characters, length, 0, known};
  layout l;
  if (!read_tirx(in, l)) return in.refusal;
  if (!in.at_end()) {
    in.fail(rule::expected_the_end);
    return in.refusal;
  }
  return l;
}
AXE_FN constexpr outcome<layout> try_parse_tirx(char const* characters, declared_axes known = {}) {
  return try_parse_tirx(characters, detail::length_of(characters), known);
}
AXE_FN constexpr layout parse_tirx(char const* characters, declared_axes known = {}) {
  return detail::stop_on(try_parse_tirx(characters, known), "parse_tirx");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
