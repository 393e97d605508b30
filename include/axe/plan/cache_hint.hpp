// SPDX-License-Identifier: MIT
// cache_hint: how caches treat the accesses of a copy.
//
//     evict_first, evict_last    L2 eviction priority
//     no_allocate                no allocation in L1
//     read_only                  ld.global.nc, for memory that the kernel does not write
//
// Sources: PTX ISA, "Cache Eviction Priority Hints"; docs/plans.md, "Cache hints".
#pragma once

#include <axe/plan/copy_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class cache_hint : unsigned char { none, evict_first, evict_last, no_allocate, read_only };

AXE_FN constexpr char const* name_of(cache_hint h) {
  return detail::name_at(h, {"none", "evict_first", "evict_last", "no_allocate", "read_only"});
}

AXE_FN constexpr bool is_policy_of_l2(cache_hint h) {
  return h == cache_hint::evict_first || h == cache_hint::evict_last;
}

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
