// SPDX-License-Identifier: MIT
// tcgen05.mma with sums in tensor memory, on one CTA or a pair (sm_100a).
//
//     auto const c = sums.tile<float, sums_of_tile, extents<128, 256>>();  tensor_memory.hpp
//     if (one thread) { mma(c, a, b, k > 0); tcgen05_commit(done); }
//     done.wait(parity); tcgen05_fence_after(); copy(...);
//
// For a pair, one thread of CTA 0 issues for both CTAs. a, b and c are the tiles of one CTA.
// Definition: docs/plans.md, "tcgen05".
#pragma once

#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/mma/tensor_memory.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class T, class L, class S, int Ctas> struct mma_side<tensor_memory_tile<T, L, S, Ctas>> {
  using value_type = T;
  AXE_FN static constexpr mma_tile tile() { return {L::value, S::value, memory_space::tensor}; }
};
/// The operand C. For a pair of CTAs, the rows of CTA 0 come first, then those of CTA 1.
template <class T, class L, class S, int Ctas> struct tensor_memory_sums {};
template <class T, class L, class S, int Ctas>
struct mma_side<tensor_memory_sums<T, L, S, Ctas>> : mma_side<tensor_memory_tile<T, L, S, Ctas>> {
  AXE_FN static constexpr mma_tile tile() {
    mma_tile sums{L::value, S::value, memory_space::tensor};
    if (Ctas == 2) {
      sums.where.blocks.clear();
      sums.where.shards.insert(0, iter{2, 1, axis::cluster_cta_x});
      sums.extents = {2 * S::value.extent(0), S::value.extent(1)};
    }
    return sums;
  }
};

AXE_FN constexpr modifier_text tcgen05_kind_name(mma_types const& t, int ctas) {
  constexpr char const* kinds[] = {"f16", "tf32", "f8f6f4", "i8"};
  return modifier_text("cta_group::").put(ctas).put(".kind::").put(kinds[tcgen05_kind(t.a)]);
}

template <class Plan> struct tcgen05_constants {
  static constexpr mma_instruction i = Plan::plan.instruction;
  static constexpr tcgen05_instruction unscaled{Plan::plan.types.a,
                                                Plan::plan.types.b,
                                                Plan::plan.types.sum,
                                                i.m,
                                                i.n,
                                                Plan::plan.a_shared.major == operand_major::mn,
                                                Plan::plan.b_shared.major == operand_major::mn,
                                                i.ctas};
  static constexpr unsigned idesc = encode_instruction(unscaled);
  AXE_FN static constexpr unsigned begin(layout const& l, integer x) {
    return static_cast<unsigned>(place_on(l, x, axis::TLane) << 16 | place_on(l, x, axis::TCol));
  }
  template <int RowBlock, int ColumnBlock>
  static constexpr unsigned c = begin(Plan::plan.c, ColumnBlock + RowBlock * Plan::plan.n_steps);
  template <int RowBlock, int Step>
  static constexpr unsigned a = begin(Plan::plan.a, Step + RowBlock * Plan::plan.k_steps);
};

}  // namespace detail

/// `d` is an address in tensor memory, and `b` is a matrix descriptor. `a` is one of the two.
template <mma_types T, int Ctas = 1>
__device__ __forceinline__ void tcgen05_mma(unsigned d, detail::stl::uint64_t a,
                                            detail::stl::uint64_t b, unsigned idesc,
                                            bool accumulate) {
  AXE_NEEDS_TCGEN05(Ctas, "tcgen05_mma");
  AXE_NEEDS_TCGEN05_INTEGERS(detail::tcgen05_kind(T.a) == 3, "tcgen05_mma of integers");
  asm volatile(
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %4, 0;\n"
      "tcgen05.mma.%5 [%0], %1, %2, %3, accumulate;\n}" ::"r"(d),
      "l"(a), "l"(b), "r"(idesc), "r"(accumulate ? 1u : 0u),
      "C"(detail::assembly_text<detail::tcgen05_kind_name(T, Ctas)>::value)
      : "memory");
}
template <mma_types T, int Ctas = 1>
__device__ __forceinline__ void tcgen05_mma(unsigned d, unsigned a, detail::stl::uint64_t b,
                                            unsigned idesc, bool accumulate) {
  AXE_NEEDS_TCGEN05(Ctas, "tcgen05_mma");
  AXE_NEEDS_TCGEN05_INTEGERS(detail::tcgen05_kind(T.a) == 3, "tcgen05_mma of integers");
  asm volatile(
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %4, 0;\n"
      "tcgen05.mma.%5 [%0], [%1], %2, %3, accumulate;\n}" ::"r"(d),
      "r"(a), "l"(b), "r"(idesc), "r"(accumulate ? 1u : 0u),
      "C"(detail::assembly_text<detail::tcgen05_kind_name(T, Ctas)>::value)
      : "memory");
}

namespace detail {

template <class Plan> struct tcgen05_product {
  unsigned c, a, b;
  bool accumulate;

  template <int RowBlock, int ColumnBlock, int Step> __device__ __forceinline__ void issue() const {
    using constants = tcgen05_constants<Plan>;
    constexpr mma_types types = Plan::plan.types;
    constexpr int ctas = constants::i.ctas;
    stl::uint64_t const of_b = descriptor_of<Plan, mma_operand::b, ColumnBlock, Step>(b);
    unsigned const d = c + constants::template c<RowBlock, ColumnBlock>;
    if constexpr (Plan::plan.a_space == memory_space::shared)
      tcgen05_mma<types, ctas>(d, descriptor_of<Plan, mma_operand::a, RowBlock, Step>(a), of_b,
                               constants::idesc, Step > 0 || accumulate);
    else
      tcgen05_mma<types, ctas>(d, a + constants::template a<RowBlock, Step>, of_b, constants::idesc,
                               Step > 0 || accumulate);
  }
};
template <class T, class L, class S, int Ctas>
__device__ __forceinline__ unsigned address_of(tensor_memory_tile<T, L, S, Ctas> const& tile) {
  return tile.address;
}

}  // namespace detail

/// One thread calls mma. A may be in tensor memory.
template <class T, class L, class S, int Ctas, class A, class B>
__device__ __forceinline__ void mma(tensor_memory_tile<T, L, S, Ctas> const& c, A const& a,
                                    B const& b, bool accumulate = true) {
  using namespace detail;
  using planned = mma_of<tensor_memory_sums<T, L, S, Ctas>, A, B>;
  verdict<planned>::passes();
  issue_all<planned>(tcgen05_product<planned>{c.address, address_of(a), address_of(b), accumulate});
}

/// Like tcgen05_commit, but arrives at the same address in each CTA whose bit in `ctas` is set.
template <int Ctas = 1>
__device__ __forceinline__ void tcgen05_commit_to(mbarrier done, unsigned short ctas) {
  AXE_NEEDS_TCGEN05(Ctas, "tcgen05_commit_to");
  asm volatile(
      "tcgen05.commit.cta_group::%2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
      "[%0], %1;" ::"r"(done.address),
      "h"(ctas), "n"(Ctas)
      : "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
