// SPDX-License-Identifier: MIT
// The instructions that copy one box of a tensor (TMA), and that wait for stores.
//
//     detail::tensor_box<tma_kind::load, no_policy>{{}, full}(map, shared, at);     one thread
//     bulk_commit(); bulk_wait_read<0>();                                           after stores
//
// `at` is the coordinate of the box's first element, dimension 0 of the map first. It may be out of
// bounds, but not below 0 in a store. `shared` is a multiple of 128. Source: PTX ISA,
// "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor". Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/cache_policy.hpp>
#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/tma/tensor_map.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

// The asm operands: the map, the address in shared memory, three that depend on the instruction,
// and from %5 on the coordinates.
#define AXE_BOX_1 "[%0,{%5}]"
#define AXE_BOX_2 "[%0,{%5,%6}]"
#define AXE_BOX_3 "[%0,{%5,%6,%7}]"
#define AXE_BOX_4 "[%0,{%5,%6,%7,%8}]"
#define AXE_BOX_5 "[%0,{%5,%6,%7,%8,%9}]"
#define AXE_ONE_RANK(R, NAME, BEFORE, AFTER, ...)                                            \
  if constexpr (Rank == R)                                                                   \
  asm volatile(NAME ".tensor." #R "d" BEFORE AXE_BOX_##R AFTER ";" ::"l"(&map), __VA_ARGS__, \
               AXE_OPERANDS_##R("r", at, 0)                                                  \
               : "memory")
#define AXE_EACH_RANK(...)      \
  AXE_ONE_RANK(1, __VA_ARGS__); \
  AXE_ONE_RANK(2, __VA_ARGS__); \
  AXE_ONE_RANK(3, __VA_ARGS__); \
  AXE_ONE_RANK(4, __VA_ARGS__); \
  AXE_ONE_RANK(5, __VA_ARGS__)
#define AXE_LOAD(SUFFIX, MORE, ...)                                                           \
  AXE_EACH_RANK("cp.async.bulk",                                                              \
                ".shared::cluster.global.tile.mbarrier::complete_tx::bytes" SUFFIX " [%1], ", \
                ", [%2]" MORE, "r"(shared), "r"(done.address), __VA_ARGS__)
#define AXE_STORE(NAME, HOW, SUFFIX, MORE, ...)                                              \
  AXE_EACH_RANK(NAME ".async.bulk", ".global.shared::cta" HOW ".tile.bulk_group" SUFFIX " ", \
                ", [%1]" MORE, "r"(shared), __VA_ARGS__, "n"(0))

namespace detail {
/// Copies one box. The barrier `done` counts the bytes of a load. With OfPair, `done` may be in
/// the pair's other CTA.
template <tma_kind Kind, class Policy, tma_reduction How = tma_reduction::none, bool OfPair = false>
struct tensor_box {
  Policy policy{};
  mbarrier done{};
  unsigned short ctas = 0;

  template <int Rank>
  __device__ __forceinline__ void operator()(tensor_map const& map, unsigned shared,
                                             int const (&at)[Rank]) const {
    constexpr bool hinted = stl::is_same_v<Policy, cache_policy>;
    if constexpr (Kind == tma_kind::multicast && hinted) {
      AXE_LOAD(".multicast::cluster.L2::cache_hint", ", %3, %4", "h"(ctas), "l"(policy.bits));
    } else if constexpr (Kind == tma_kind::multicast) {
      AXE_LOAD(".multicast::cluster", ", %3", "h"(ctas), "n"(0));
    } else if constexpr (OfPair) {
      AXE_LOAD(".cta_group::2", "", "n"(0), "n"(0));
    } else if constexpr (Kind == tma_kind::load && hinted) {
      AXE_LOAD(".L2::cache_hint", ", %3", "l"(policy.bits), "n"(0));
    } else if constexpr (Kind == tma_kind::load) {
      AXE_LOAD("", "", "n"(0), "n"(0));
    } else if constexpr (How == tma_reduction::none && hinted) {
      AXE_STORE("cp", "", ".L2::cache_hint", ", %2", "l"(policy.bits), "n"(0));
    } else if constexpr (How == tma_reduction::none) {
      AXE_STORE("cp", "", "", "", "n"(0), "n"(0));
    } else {
      using name = assembly_text<name_of(How)>;
      if constexpr (hinted) {
        AXE_STORE("cp.reduce", ".%3", ".L2::cache_hint", ", %2", "l"(policy.bits),
                  "C"(name::value));
      } else {
        AXE_STORE("cp.reduce", ".%3", "", "", "n"(0), "C"(name::value));
      }
    }
  }
};
}  // namespace detail
#undef AXE_LOAD
#undef AXE_STORE
#undef AXE_EACH_RANK
#undef AXE_ONE_RANK
#undef AXE_BOX_1
#undef AXE_BOX_2
#undef AXE_BOX_3
#undef AXE_BOX_4
#undef AXE_BOX_5

template <int Any = 0> __device__ __forceinline__ void bulk_commit() {
  AXE_NEEDS_SM_90(Any, "bulk_commit");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int Pending = 0> __device__ __forceinline__ void bulk_wait() {
  AXE_NEEDS_SM_90(Pending, "bulk_wait");
  static_assert(!(Pending < 0), "bulk_wait<Pending>: Pending must be at least 0");
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}
/// Waits until all groups except the latest `Pending` have read shared memory.
template <int Pending = 0> __device__ __forceinline__ void bulk_wait_read() {
  AXE_NEEDS_SM_90(Pending, "bulk_wait_read");
  static_assert(!(Pending < 0), "bulk_wait_read<Pending>: Pending must be at least 0");
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
