// SPDX-License-Identifier: MIT
// cache_policy: an L2 eviction policy, the operand of .L2::cache_hint.
//
//     axe::cache_policy const once = axe::evict_first_policy();
//
// A policy is valid in the kernel that created it. Source: PTX ISA, "createpolicy". Definition:
// docs/plans.md, "Cache hints".
#pragma once

#include <axe/config.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

struct cache_policy {
  unsigned long long bits;
};
struct no_policy {};
template <class Policy> inline constexpr bool is_policy = false;
template <> inline constexpr bool is_policy<cache_policy> = true;

/// For data that is used once.
__device__ __forceinline__ cache_policy evict_first_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}
/// For data that is used again.
__device__ __forceinline__ cache_policy evict_last_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
