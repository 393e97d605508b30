// SPDX-License-Identifier: MIT
// cache_policy: an L2 eviction policy, the operand of .L2::cache_hint.
//
//     auto const once = policy_of<cache_hint::evict_first>();
//
// A policy is valid in the kernel that created it. Definition: docs/plans.md, "Cache hints".
#pragma once

#include <axe/plan/cache_hint.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

struct cache_policy {
  unsigned long long bits;
};
struct no_policy {};

template <cache_hint Hint> __device__ __forceinline__ auto policy_of() {
  if constexpr (is_policy_of_l2(Hint)) {
    cache_policy policy;
    if constexpr (Hint == cache_hint::evict_first)
      asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.bits));
    else
      asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy.bits));
    return policy;
  } else {
    return no_policy{};
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
