// SPDX-License-Identifier: MIT
// cache_policy: an L2 eviction policy, the operand of .L2::cache_hint.
//
//     cache_policy const once = evict_first_policy();
//
// A policy is valid in the kernel that created it. Definition: docs/plans.md, "Cache hints".
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

__device__ __forceinline__ cache_policy evict_first_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}
__device__ __forceinline__ cache_policy evict_last_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
