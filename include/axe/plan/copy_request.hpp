// SPDX-License-Identifier: MIT
// copy_request: the tile and the two sides of a copy, and the options of the caller.
#pragma once

#include <axe/plan/copy_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct copy_options {
  copy_instruction force = copy_instruction::any;
  bool asynchronous = false;  // allows cp.async, bulk, tensor copies; the caller waits
  bool bulk = true;           // allows bulk copies and tensor loads
  bool mapped = false;        // a tensor map is available
  tma_options tensor;         // reduction of a store, CTAs of a multicast
  // The type in a tensor map; `count`: the unsigned type of the same width.
  element_type type = element_type::count;
  cache_hint cache = cache_hint::none;
  copy_outside outside = copy_outside::skip;
  integer from_alignment = 16;  // of the source's base, in bytes
  integer to_alignment = 16;
  /// For each dimension of the tile: 0 if it is in bounds; n if the tensor may end inside
  /// it, after a multiple of n elements. Empty: all are 0, and dimensions may merge.
  list<integer, capacity::shards> edges;
  bool by_rows = false;      // an index selects the rows: stores follow the order of the tile
  bool partitioned = false;  // if false, the planner chooses the partition
  layout partition;
};

/// A side in memory is on m, in elements. A side in registers is on threads and reg.
struct copy_request {
  layout from;
  memory_space from_space{};
  layout to;
  memory_space to_space{};
  shape tile;
  int bits = 0;
  integer scope = 1;  // threads
  architecture target = architecture::sm_90a;
  copy_options options;

  AXE_FN constexpr bool copies(memory_space source, memory_space destination) const {
    return from_space == source && to_space == destination;
  }
};

AXE_FN constexpr operands operands_of(copy_request const& r) {
  return {&r.from, &r.to, &r.tile, &r.tile, &r.options.partition, &r.tile};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
