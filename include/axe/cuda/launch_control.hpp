// SPDX-License-Identifier: MIT
// tile_scheduler (cluster launch control): takes tiles from clusters that have not started.
//
//     tile_scheduler<2> tiles(storage);
//     one thread of each CTA:  tiles.init(readers);
//     one thread of CTA 0:     tiles.fetch();                                 for each tile
//     each reader:             while (tiles.next(first_block)) { tiles.release(); ... }
//
// The grid has one cluster for each tile. A cluster begins with its own tile.
#pragma once

#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/mbarrier.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Declare it __shared__.
template <int Ctas> struct tile_scheduler_storage {
  alignas(16) unsigned answer[4];
  mbarrier_storage<1> full, empty;
};

namespace detail {

__device__ __forceinline__ bool read_answer(unsigned answer, uint3& first) {
  unsigned taken;
  asm volatile(
      "{\n"
      ".reg .b128 answer;\n"
      ".reg .pred taken;\n"
      ".reg .b32 unused;\n"
      "ld.shared.b128 answer, [%4];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 taken, answer;\n"
      "selp.u32 %0, 1, 0, taken;\n"
      "mov.u32 %1, 0;\n"
      "mov.u32 %2, 0;\n"
      "mov.u32 %3, 0;\n"
      "@taken clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, %2, %3, unused}, "
      "answer;\n"
      "}"
      : "=r"(taken), "=r"(first.x), "=r"(first.y), "=r"(first.z)
      : "r"(answer)
      : "memory");
  return taken != 0;
}

}  // namespace detail

/// Each thread constructs its own.
template <int Ctas> class tile_scheduler {
  unsigned storage_;
  unsigned parity_ = 0;

  __device__ __forceinline__ mbarrier full() const { return {storage_ + 16}; }
  __device__ __forceinline__ mbarrier empty() const { return {storage_ + 24}; }

 public:
  __device__ __forceinline__ explicit tile_scheduler(tile_scheduler_storage<Ctas>& storage)
      : storage_(shared_address(&storage)) {}

  /// One thread of each CTA calls it, before a cluster barrier. `readers` is the number of
  /// release() calls for each answer, in all CTAs together.
  __device__ __forceinline__ void init(unsigned readers) const {
    full().init(1);
    empty().init(readers);
    fence_mbarrier_init();
  }
  /// Asks for the next tile after all readers have released the previous answer. One thread of CTA
  /// 0 calls it and next(), until next() returns false.
  __device__ __forceinline__ void fetch() {
    static_assert(
        detail::has_architecture<1000>(Ctas) && (Ctas == 1 || detail::has_target_suffix(Ctas)),
        "tile_scheduler needs cluster launch control, and with several CTAs a target "
        "with suffix a or f: compile with -gencode arch=compute_100a,code=sm_100a");
    empty().wait_for_cluster(parity_ ^ 1);
    for (unsigned rank = 0; rank < Ctas; ++rank) full().arrive_and_expect_tx_in(rank, 16);
    // PTX ISA, "clusterlaunchcontrol". Each CTA of the cluster receives the 16 bytes.
    using receivers = detail::assembly_text<Ctas == 1 ? "" : ".multicast::cluster::all">;
    asm volatile(
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes%2.b128 "
        "[%0], [%1];" ::"r"(storage_),
        "r"(full().address), "C"(receivers::value)
        : "memory");
  }
  /// False if no tile was left. Otherwise `first` is the first block of the tile's cluster.
  __device__ __forceinline__ bool next(uint3& first) {
    full().wait_for_cluster(parity_);
    bool const taken = detail::read_answer(storage_, first);
    fence_proxy_async();
    parity_ ^= 1;
    return taken;
  }
  /// One thread may call it for its warp, after all lanes have called next().
  __device__ __forceinline__ void release() const { empty().arrive_in(0); }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
