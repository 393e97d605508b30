// cache_policy: how long lines of L2 stay that an access brings in, as instructions with a cache
// hint take it.
//
//     axe::cache_policy const once = axe::evict_first_policy();        lines that go first: what is read or written once
//     axe::tensor_load<2>(shared, map, at, full, once);
//
// The value is opaque and holds for the kernel that made it. A hint changes no result.
// Source: PTX ISA, "createpolicy", "Cache Eviction Priority Hints". sm_80 and later.
// Definition: docs/plans.md, "Cache hints".
#pragma once

#include <axe/config.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

struct cache_policy {
  unsigned long long bits;
};

/// Lines that go first.
__device__ __forceinline__ cache_policy evict_first_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}
/// Lines that stay longest.
__device__ __forceinline__ cache_policy evict_last_policy() {
  cache_policy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy.bits));
  return policy;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
