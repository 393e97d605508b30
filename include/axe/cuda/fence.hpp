// SPDX-License-Identifier: MIT
// Fences of mbarrier.init, of the async proxy and of tcgen05, and cluster barriers.
//
//     fence_mbarrier_init();          after mbarrier.init, before the CTA's or cluster's barrier
//     fence_proxy_async();            between st.shared and the barrier before a TMA store
//
// Source: PTX ISA, "Async proxy", "membar / fence", "elect.sync".
#pragma once

#include <axe/cuda/architecture.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Makes initialised mbarriers visible to the cluster and to asynchronous copies.
template <int Any = 0> __device__ __forceinline__ void fence_mbarrier_init() {
  AXE_NEEDS_SM_90(Any, "fence_mbarrier_init");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// Makes this thread's writes to shared memory visible to TMA and wgmma.
template <int Any = 0> __device__ __forceinline__ void fence_proxy_async() {
  AXE_NEEDS_SM_90(Any, "fence_proxy_async");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// A barrier of all threads of the cluster, which then see each other's earlier writes.
template <int Any = 0> __device__ __forceinline__ void cluster_sync() {
  AXE_NEEDS_SM_90(Any, "a cluster barrier");
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Fences before and after a barrier that orders tcgen05 instructions of several threads.
template <int Any = 0> __device__ __forceinline__ void tcgen05_fence_before() {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_fence_before");
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
template <int Any = 0> __device__ __forceinline__ void tcgen05_fence_after() {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_fence_after");
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
