// SPDX-License-Identifier: MIT
// Reads and prints placements of PyTorch's DTensor.
//
//     [Shard(0), Replicate()]
//
// Definition: docs/distributed.md, "DTensor".
#pragma once

#include <axe/distributed/mesh.hpp>
#include <axe/notation/reader.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class dtensor_kind : unsigned char { replicate, shard, partial };

struct dtensor_placement {
  dtensor_kind kind = dtensor_kind::replicate;
  integer dimension = 0;     // of shard; negative: from the end
  integer split_factor = 1;  // of _StridedShard

  constexpr bool operator==(dtensor_placement const&) const = default;
};
using dtensor_placements = list<dtensor_placement, capacity::mesh_axes>;

namespace detail {

AXE_FN constexpr void skip_keyword(reader& in, char const* name) {
  if (!in.sees(name, '=')) return;
  in.take_word(name);
  in.take('=');
}

AXE_LAZY_FN constexpr bool read_placement(reader& in, dtensor_placement& p) {
  int const start = in.position;
  bool const strided = in.take_word("_StridedShard");
  if (strided || in.take_word("Shard") || in.take_word("S")) {
    p.kind = dtensor_kind::shard;
    if (!in.require('(', rule::expected_a_placement)) return false;
    skip_keyword(in, "dim");
    if (!in.read_integer(p.dimension, rule::expected_a_number)) return false;
    if (strided) {
      if (!in.require(',', rule::expected_a_placement)) return false;
      skip_keyword(in, "split_factor");
      skip_keyword(in, "sf");
      if (!in.read_integer(p.split_factor, rule::expected_a_number)) return false;
    }
    return in.require(')', rule::expected_a_comma_or_parenthesis);
  }
  if (in.take_word("Replicate") || in.take_word("R")) {
    if (in.take('(')) return in.require(')', rule::expected_a_comma_or_parenthesis);
    return true;
  }
  if (!in.take_word("Partial") && !in.take_word("P"))
    return in.fail_at(start, rule::expected_a_placement);
  p.kind = dtensor_kind::partial;
  if (!in.take('(') || in.take(')')) return true;
  char const quote = in.next();
  bool const quoted = quote == '"' || quote == '\'';
  if (quoted) in.take(quote);
  if (!in.take_word("sum")) return in.fail(rule::placement_of_another_sum);
  if (quoted && !in.take(quote)) return in.fail(rule::placement_of_another_sum);
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

}  // namespace detail

/// Accepts brackets or parentheses, and the short forms S(0), R and P.
AXE_LAZY_FN constexpr bool read(reader& in, dtensor_placements& out) {
  bool const bracket = in.take('[');
  if (!bracket && !in.require('(', rule::expected_a_placement)) return false;
  char const close = bracket ? ']' : ')';
  while (!in.take(close)) {
    dtensor_placement p;
    if (!detail::read_placement(in, p)) return false;
    if (!out.push(p)) return in.fail(rule::list_is_too_long, out.capacity);
    if (!in.take(',') && in.next() != close) return in.fail(rule::expected_a_placement);
  }
  return true;
}

AXE_FN constexpr void print(auto& out, dtensor_placements const& placements) {
  out.put('[');
  for (int k = 0; k < placements.size(); ++k) {
    dtensor_placement const& p = placements[k];
    if (k > 0) out.put(", ");
    if (p.kind == dtensor_kind::replicate) out.put("Replicate()");
    if (p.kind == dtensor_kind::partial) out.put("Partial(sum)");
    if (p.kind != dtensor_kind::shard) continue;
    out.put(p.split_factor == 1 ? "Shard(" : "_StridedShard(");
    out.put(p.dimension);
    if (p.split_factor != 1) {
      out.put(", split_factor=");
      out.put(p.split_factor);
    }
    out.put(')');
  }
  out.put(']');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
