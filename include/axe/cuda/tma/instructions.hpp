// The instructions of tensor copies as functions, for maps of 1 to 5 dimensions: what plans are executed by, and what a kernel may call itself.
//
//     int const at[2]{64, 0};
//     axe::tensor_load<2>(shared, map, at, full);            one thread; `full` counts the bytes of the box
//     axe::tensor_store<2>(map, at, shared);  axe::bulk_commit();  axe::bulk_wait_read<0>();
//
// Coordinates are elements, dimension 0 first; they may be negative or beyond the tensor. `shared`: a multiple of 128. The map lies in constant,
// parameter or global memory. Stores and reductions belong to groups: `bulk_commit` ends one, `bulk_wait<N>` waits until all but the N latest of
// this thread are done, `bulk_wait_read<N>` until they have read shared memory. `policy`: of L2, from createpolicy. sm_90 and later.
// Source: PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor", "cp.async.bulk.prefetch.tensor", "cp.async.bulk.commit_group",
// "cp.async.bulk.wait_group".
// Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/tma/tensor_map.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe::inline AXE_NAMESPACE {

// The coordinates are operands %1 to %Rank, so that one text serves each rank with no operand too many.
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

/// A box of global memory to shared memory; its bytes are counted at `done`.
template <int Rank>
__device__ __forceinline__ void tensor_load(unsigned shared, tensor_map const& map, int const (&at)[Rank],
                                            mbarrier done) {
#define AXE_LOAD(R, TO, BAR)                                                                                \
  if constexpr (Rank == R)                                                                                  \
  asm volatile("cp.async.bulk.tensor." #R "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [" TO \
               "], " AXE_BOX_##R ", [" BAR "];" ::AXE_AT_##R,                                               \
               "r"(shared), "r"(done.address)                                                               \
               : "memory")
  AXE_LOAD(1, "%2", "%3");
  AXE_LOAD(2, "%3", "%4");
  AXE_LOAD(3, "%4", "%5");
  AXE_LOAD(4, "%5", "%6");
  AXE_LOAD(5, "%6", "%7");
#undef AXE_LOAD
}
/// The same under a policy of L2.
template <int Rank>
__device__ __forceinline__ void tensor_load(unsigned shared, tensor_map const& map, int const (&at)[Rank],
                                            mbarrier done, unsigned long long policy) {
#define AXE_LOAD(R, TO, BAR, POLICY)                                                            \
  if constexpr (Rank == R)                                                                      \
  asm volatile("cp.async.bulk.tensor." #R                                                       \
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [" TO \
               "], " AXE_BOX_##R ", [" BAR "], " POLICY ";" ::AXE_AT_##R,                       \
               "r"(shared), "r"(done.address), "l"(policy)                                      \
               : "memory")
  AXE_LOAD(1, "%2", "%3", "%4");
  AXE_LOAD(2, "%3", "%4", "%5");
  AXE_LOAD(3, "%4", "%5", "%6");
  AXE_LOAD(4, "%5", "%6", "%7");
  AXE_LOAD(5, "%6", "%7", "%8");
#undef AXE_LOAD
}
/// To the same address in each CTA of the cluster whose bit is set, its bytes counted at the barrier with the same address there.
template <int Rank>
__device__ __forceinline__ void tensor_multicast(unsigned shared, tensor_map const& map,
                                                 int const (&at)[Rank], mbarrier done, unsigned short ctas) {
#define AXE_LOAD(R, TO, BAR, CTAS)                                                                  \
  if constexpr (Rank == R)                                                                          \
  asm volatile("cp.async.bulk.tensor." #R                                                           \
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [" TO \
               "], " AXE_BOX_##R ", [" BAR "], " CTAS ";" ::AXE_AT_##R,                             \
               "r"(shared), "r"(done.address), "h"(ctas)                                            \
               : "memory")
  AXE_LOAD(1, "%2", "%3", "%4");
  AXE_LOAD(2, "%3", "%4", "%5");
  AXE_LOAD(3, "%4", "%5", "%6");
  AXE_LOAD(4, "%5", "%6", "%7");
  AXE_LOAD(5, "%6", "%7", "%8");
#undef AXE_LOAD
}
/// Into L2 alone.
template <int Rank>
__device__ __forceinline__ void tensor_prefetch(tensor_map const& map, int const (&at)[Rank]) {
#define AXE_PREFETCH(R)                                                                             \
  if constexpr (Rank == R)                                                                          \
  asm volatile("cp.async.bulk.prefetch.tensor." #R "d.L2.global.tile " AXE_BOX_##R ";" ::AXE_AT_##R \
               : "memory")
  AXE_PREFETCH(1);
  AXE_PREFETCH(2);
  AXE_PREFETCH(3);
  AXE_PREFETCH(4);
  AXE_PREFETCH(5);
#undef AXE_PREFETCH
}

#define AXE_OUT(R, NAME, OPERATION, FROM)                                         \
  if constexpr (Rank == R)                                                        \
  asm volatile(NAME ".async.bulk.tensor." #R "d.global.shared::cta" OPERATION     \
                    ".tile.bulk_group " AXE_BOX_##R ", [" FROM "];" ::AXE_AT_##R, \
               "r"(shared)                                                        \
               : "memory")
#define AXE_OUT_RANKS(NAME, OPERATION) \
  AXE_OUT(1, NAME, OPERATION, "%2");   \
  AXE_OUT(2, NAME, OPERATION, "%3");   \
  AXE_OUT(3, NAME, OPERATION, "%4");   \
  AXE_OUT(4, NAME, OPERATION, "%5");   \
  AXE_OUT(5, NAME, OPERATION, "%6")

/// A box of shared memory to global memory; what lies outside the tensor is left out.
template <int Rank>
__device__ __forceinline__ void tensor_store(tensor_map const& map, int const (&at)[Rank], unsigned shared) {
  AXE_OUT_RANKS("cp", "");
}
/// The same, combined with what is there.
template <int Rank, tma_reduction How>
__device__ __forceinline__ void tensor_reduce(tensor_map const& map, int const (&at)[Rank], unsigned shared) {
  static_assert(How != tma_reduction::none, "a reduction has an operation");
#define AXE_REDUCE(HOW, NAME) \
  if constexpr (How == tma_reduction::HOW) { AXE_OUT_RANKS("cp.reduce", "." NAME); }
  AXE_REDUCE(add, "add")
  AXE_REDUCE(min, "min")
  AXE_REDUCE(max, "max")
  AXE_REDUCE(inc, "inc")
  AXE_REDUCE(dec, "dec")
  AXE_REDUCE(bit_and, "and")
  AXE_REDUCE(bit_or, "or")
  AXE_REDUCE(bit_xor, "xor")
#undef AXE_REDUCE
}
#undef AXE_OUT_RANKS
#undef AXE_OUT
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

/// Policies of L2 for `tensor_load`: lines that go first, lines that stay longest.
__device__ __forceinline__ unsigned long long evict_first_policy() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ unsigned long long evict_last_policy() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// What this thread has stored or reduced since its last commit is a group.
__device__ __forceinline__ void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Until all but the `Left` latest groups of this thread are done.
template <int Left = 0> __device__ __forceinline__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Left) : "memory");
}
/// Until they have read shared memory, which may then be written again.
template <int Left = 0> __device__ __forceinline__ void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
}
/// The map itself into its cache, ahead of the first copy.
__device__ __forceinline__ void prefetch_map(tensor_map const& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

}  // namespace axe::inline AXE_NAMESPACE

#endif
