// SPDX-License-Identifier: MIT
// The instruction of a tensor copy (TMA), for maps of 1 to 5 dimensions, and the waits of stores.
//
//     detail::tensor_box<tma_kind::load, no_policy>{{}, full}(map, shared, at);     one thread
//     axe::bulk_commit(); axe::bulk_wait_read<0>();                                 after stores
//
// `at` counts elements, dimension 0 of the map first, and may be out of bounds. `shared` is an
// address, a multiple of 128. sm_90 and later. Source: PTX ISA, "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor". Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/cache_policy.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/tma/tensor_map.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

// The asm operands are the map %0, the coordinates %1 to %Rank, the address in shared memory, the
// barrier of a load, and the operands that the suffix needs.
#define AXE_AT_1 "l"(&map), "r"(at[0])
#define AXE_AT_2 AXE_AT_1, "r"(at[1])
#define AXE_AT_3 AXE_AT_2, "r"(at[2])
#define AXE_AT_4 AXE_AT_3, "r"(at[3])
#define AXE_AT_5 AXE_AT_4, "r"(at[4])
#define AXE_BOX_1 "[%0,{%1}]"
#define AXE_BOX_2 "[%0,{%1,%2}]"
#define AXE_BOX_3 "[%0,{%1,%2,%3}]"
#define AXE_BOX_4 "[%0,{%1,%2,%3,%4}]"
#define AXE_BOX_5 "[%0,{%1,%2,%3,%4,%5}]"
#define AXE_EACH_RANK(DO, ...)                \
  DO(1, "%2", "%3", "%4", "%5", __VA_ARGS__); \
  DO(2, "%3", "%4", "%5", "%6", __VA_ARGS__); \
  DO(3, "%4", "%5", "%6", "%7", __VA_ARGS__); \
  DO(4, "%5", "%6", "%7", "%8", __VA_ARGS__); \
  DO(5, "%6", "%7", "%8", "%9", __VA_ARGS__)
#define AXE_NO_MORE(A, B) ""
#define AXE_ONE_MORE(A, B) ", " A
#define AXE_TWO_MORE(A, B) ", " A ", " B
#define AXE_LOAD(R, SHARED, BARRIER, A, B, SUFFIX, MORE, ...)                                  \
  if constexpr (Rank == R)                                                                     \
  asm volatile("cp.async.bulk.tensor." #R                                                      \
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" SUFFIX " [" SHARED \
               "], " AXE_BOX_##R ", [" BARRIER "]" MORE(A, B) ";" ::AXE_AT_##R,                \
               "r"(shared), "r"(done.address)__VA_OPT__(, ) __VA_ARGS__                        \
               : "memory")
#define AXE_STORE(R, SHARED, A, B, C, SUFFIX, MORE, ...)                                \
  if constexpr (Rank == R)                                                              \
  asm volatile("cp.async.bulk.tensor." #R "d.global.shared::cta.tile.bulk_group" SUFFIX \
               " " AXE_BOX_##R ", [" SHARED "]" MORE(A, B) ";" ::AXE_AT_##R,            \
               "r"(shared)__VA_OPT__(, ) __VA_ARGS__                                    \
               : "memory")
#define AXE_REDUCE(R, SHARED, A, B, C, SUFFIX, MORE, ...)                                 \
  if constexpr (Rank == R)                                                                \
  asm volatile("cp.reduce.async.bulk.tensor." #R "d.global.shared::cta." A                \
               ".tile.bulk_group" SUFFIX " " AXE_BOX_##R ", [" SHARED                     \
                                                         "]" MORE(B, C) ";" ::AXE_AT_##R, \
               "r"(shared), "C"(name::value)__VA_OPT__(, ) __VA_ARGS__                    \
               : "memory")
#define AXE_PREFETCH(R, ...)                                                       \
  if constexpr (Rank == R)                                                         \
  asm volatile("cp.async.bulk.prefetch.tensor." #R "d.L2.global.tile " AXE_BOX_##R \
               ";" ::AXE_AT_##R                                                    \
               : "memory")

namespace detail {
/// Copies one box, to or from address `shared`. Policy is cache_policy or no_policy. The barrier
/// `done` counts the bytes of a load. Bit k of `ctas` is 1 if CTA k receives a multicast. With
/// OfPair `done` may be in the other CTA of a pair.
template <tma_kind Kind, class Policy, tma_reduction How = tma_reduction::none, bool OfPair = false>
struct tensor_box {
  Policy policy{};
  mbarrier done{};
  unsigned short ctas = 0;

  template <int Rank>
  __device__ __forceinline__ void operator()(tensor_map const& map, unsigned shared,
                                             int const (&at)[Rank]) const {
    constexpr bool hinted = is_policy<Policy>;
    if constexpr (Kind == tma_kind::prefetch) {
      AXE_EACH_RANK(AXE_PREFETCH, );
    } else if constexpr (Kind == tma_kind::multicast && hinted) {
      AXE_EACH_RANK(AXE_LOAD, ".multicast::cluster.L2::cache_hint", AXE_TWO_MORE, "h"(ctas),
                    "l"(policy.bits));
    } else if constexpr (Kind == tma_kind::multicast) {
      AXE_EACH_RANK(AXE_LOAD, ".multicast::cluster", AXE_ONE_MORE, "h"(ctas));
    } else if constexpr (OfPair) {
      AXE_EACH_RANK(AXE_LOAD, ".cta_group::2", AXE_NO_MORE);
    } else if constexpr (Kind == tma_kind::load && hinted) {
      AXE_EACH_RANK(AXE_LOAD, ".L2::cache_hint", AXE_ONE_MORE, "l"(policy.bits));
    } else if constexpr (Kind == tma_kind::load) {
      AXE_EACH_RANK(AXE_LOAD, "", AXE_NO_MORE);
    } else if constexpr (How == tma_reduction::none && hinted) {
      AXE_EACH_RANK(AXE_STORE, ".L2::cache_hint", AXE_ONE_MORE, "l"(policy.bits));
    } else if constexpr (How == tma_reduction::none) {
      AXE_EACH_RANK(AXE_STORE, "", AXE_NO_MORE);
    } else {
      using name = assembly_text<modifier_text{}.put(name_of(How))>;
      if constexpr (hinted) {
        AXE_EACH_RANK(AXE_REDUCE, ".L2::cache_hint", AXE_ONE_MORE, "l"(policy.bits));
      } else {
        AXE_EACH_RANK(AXE_REDUCE, "", AXE_NO_MORE);
      }
    }
  }
};
}  // namespace detail
#undef AXE_LOAD
#undef AXE_STORE
#undef AXE_REDUCE
#undef AXE_PREFETCH
#undef AXE_NO_MORE
#undef AXE_ONE_MORE
#undef AXE_TWO_MORE
#undef AXE_EACH_RANK
#undef AXE_AT_1
#undef AXE_AT_2
#undef AXE_AT_3
#undef AXE_AT_4
#undef AXE_AT_5
#undef AXE_BOX_1
#undef AXE_BOX_2
#undef AXE_BOX_3
#undef AXE_BOX_4
#undef AXE_BOX_5

/// Commits this thread's earlier stores and reductions as one group.
template <int Any = 0> __device__ __forceinline__ void bulk_commit() {
  AXE_NEEDS_SM_90(Any, "bulk_commit");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits for all groups except the `Left` latest.
template <int Left = 0> __device__ __forceinline__ void bulk_wait() {
  AXE_NEEDS_SM_90(Left, "bulk_wait");
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Left) : "memory");
}
/// Waits until all groups except the `Left` latest have read shared memory.
template <int Left = 0> __device__ __forceinline__ void bulk_wait_read() {
  AXE_NEEDS_SM_90(Left, "bulk_wait_read");
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
}
/// Prefetches the 128 bytes of the map itself.
template <int Any = 0> __device__ __forceinline__ void prefetch_map(tensor_map const& map) {
  AXE_NEEDS_SM_90(Any, "prefetch_map");
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
