// SPDX-License-Identifier: MIT
// mbarrier: threads wait for the arrivals and asynchronous copies of a phase.
//
//     __shared__ mbarrier_storage<4> bars;            mbarrier const full = bars[s];
//     full.init(1);                       one thread; then fence_mbarrier_init() and a barrier
//     full.arrive_and_expect_tx(bytes);
//     full.wait(parity);                  parity 0, 1, 0, ...; at first wait(1) returns at once
//
// Definition: docs/plans.md, "Barriers".
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/memory.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// The address of a barrier in shared memory. Copies refer to the same barrier.
struct mbarrier {
  unsigned address = 0;  // in shared memory, a multiple of 8

  /// One thread calls it, before any other use.
  __device__ __forceinline__ void init(unsigned arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals)
                 : "memory");
  }

  /// Threads that wait for the phase then see the earlier writes of this thread.
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
  }
  template <int Any = 0>
  __device__ __forceinline__ void arrive_and_expect_tx(unsigned bytes) const {
    AXE_NEEDS_SM_90(Any, "mbarrier::arrive_and_expect_tx");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes)
                 : "memory");
  }
  /// Arrives at the barrier with the same address in CTA `rank`.
  template <int Any = 0> __device__ __forceinline__ void arrive_in(unsigned rank) const {
    AXE_NEEDS_SM_90(Any, "mbarrier::arrive_in");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     detail::address_in_cta(address, rank))
                 : "memory");
  }
  template <int Any = 0>
  __device__ __forceinline__ void arrive_and_expect_tx_in(unsigned rank, unsigned bytes) const {
    AXE_NEEDS_SM_90(Any, "mbarrier::arrive_and_expect_tx_in");
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                     detail::address_in_cta(address, rank)),
                 "r"(bytes)
                 : "memory");
  }

  template <int Any = 0> __device__ __forceinline__ void wait(unsigned parity) const {
    AXE_NEEDS_SM_90(Any, "mbarrier::wait");
    wait_with<"">(parity);
  }
  /// Like wait(), with acquire semantics at cluster scope.
  template <int Any = 0> __device__ __forceinline__ void wait_for_cluster(unsigned parity) const {
    AXE_NEEDS_SM_90(Any, "mbarrier::wait_for_cluster");
    wait_with<".acquire.cluster">(parity);
  }

 private:
  template <detail::modifier_text Semantics>
  __device__ __forceinline__ void wait_with(unsigned parity) const {
    asm volatile(
        "{\n"
        ".reg .pred ended;\n"
        "wait_%=:\n"
        "mbarrier.try_wait.parity%2.shared::cta.b64 ended, [%0], %1;\n"
        "@!ended bra wait_%=;\n"
        "}" ::"r"(address),
        "r"(parity), "C"(detail::assembly_text<Semantics>::value)
        : "memory");
  }
};

/// Declare it __shared__.
template <int Count = 0> struct mbarrier_storage {
  static_assert(!(Count < 1), "mbarrier_storage<Count>: Count must be at least 1");
  alignas(8) unsigned long long words[Count];

  mbarrier_storage() = default;
  AXE_FN mbarrier_storage(mbarrier_storage const&,
                          detail::copy_check<detail::never<detail::integers<Count>>> = {}) {}

  __device__ __forceinline__ mbarrier operator[](unsigned k) const {
    return {shared_address(words) + 8 * k};
  }
};

/// `done` gets one arrival when this thread's earlier tcgen05.mma and tcgen05.cp end.
template <int Ctas = 1> __device__ __forceinline__ void tcgen05_commit(mbarrier done) {
  AXE_NEEDS_TCGEN05(Ctas, "tcgen05_commit");
  asm volatile("tcgen05.commit.cta_group::%1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   done.address),
               "n"(Ctas)
               : "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
