// SPDX-License-Identifier: MIT
// cache_hint: how the caches treat the accesses of a copy. A hint changes no result.
//
//     evict_first, evict_last    the L2 eviction priority: ld, st, cp.async, bulk and tensor copies
//     no_allocate                no allocation in L1: ld, st
//     read_only                  ld.global.nc, for memory that the kernel does not write
//
// Hints need sm_80 or later. Source: PTX ISA, "Cache Eviction Priority Hints", "ld.global.nc".
// Definition: docs/plans.md, "Cache hints".
#pragma once

#include <axe/plan/copy_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class cache_hint : unsigned char { none, evict_first, evict_last, no_allocate, read_only };

AXE_FN constexpr char const* name_of(cache_hint h) {
  return detail::name_at(h, {"none", "evict_first", "evict_last", "no_allocate", "read_only"});
}

/// True for the eviction policies of L2, which an instruction takes as an operand.
AXE_FN constexpr bool is_policy_of_l2(cache_hint h) {
  return h == cache_hint::evict_first || h == cache_hint::evict_last;
}

/// True if instruction i can have hint h in a copy between these memories.
AXE_LAZY_FN constexpr bool has_hint(copy_instruction i, cache_hint h, memory_space from,
                                    memory_space to) {
  bool const loads = from == memory_space::global, stores = to == memory_space::global;
  switch (h) {
    case cache_hint::none: return true;
    case cache_hint::no_allocate: return (loads || stores) && is_vector(i);
    case cache_hint::read_only: return loads && is_vector(i);
    default: return (loads || stores) && !is_matrix(i);
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
