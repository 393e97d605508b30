// tcgen05.mma on shared tiles, with sums in tensor memory. sm_100a; assembled in tests, not run.
//
//     tensor_memory_tile<float, carrier<"S[(128,256):(1@TLane,1@TCol)]"_axe>, shape> c{address};
//     if (one thread) { axe::mma(c, a, b, k > 0); axe::tcgen05_commit(done); }
//     done.wait(parity); axe::tcgen05_fence_after(); axe::tcgen05_load(words, c.address + 64);
//
// A load brings 32 columns of the warp's 32 lanes. Allocation: one warp, 32 to 512 columns.
// Source: PTX ISA, "tcgen05". Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/cuda/mbarrier.hpp>
#include <axe/cuda/mma/mma.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

/// A tile of tensor memory: lanes and 32-bit columns from `address` (lane in the high 16 bits).
template <class T, class L, class S> struct tensor_memory_tile {
  unsigned address;
};

namespace detail {

template <class T, class L, class S> struct mma_side<tensor_memory_tile<T, L, S>> {
  using value_type = T;
  AXE_FN static constexpr mma_tile tile() { return {L::value, S::value, memory_space::tensor}; }
};

template <mma_types T> struct tcgen05_kind_name {
  AXE_FN static constexpr modifier_text make() {
    modifier_text out;
    int const kind = tcgen05_kind(T.a);
    out.put(kind == 0 ? "f16" : kind == 1 ? "tf32" : kind == 2 ? "f8f6f4" : "i8");
    return out;
  }
  static constexpr modifier_text text = make();
};

/// The descriptor of one block and step, for tcgen05.
template <class Source, integer Block, integer Step>
__device__ __forceinline__ stl::uint64_t tcgen05_descriptor_of(unsigned address) {
  constexpr shared_operand_plan plan = Source::value;
  constexpr stl::uint64_t fields =
      encode_tcgen05_descriptor({0, plan.leading, plan.stride, 0, plan.mode});
  constexpr unsigned low =
      static_cast<unsigned>(fields) + static_cast<unsigned>(plan.start(Block, Step) >> 4);
  constexpr stl::uint64_t high = fields >> 32 << 32;
  return high | (((address & 0x3ffff) >> 4) + low);
}

template <class Plan> struct tcgen05_constants {
  static constexpr mma_instruction i = Plan::plan.instruction;
  static constexpr unsigned what =
      encode_instruction({Plan::plan.types.a, Plan::plan.types.b, Plan::plan.types.sum, i.m, i.n,
                          Plan::plan.a_shared.direction == operand_major::mn,
                          Plan::plan.b_shared.direction == operand_major::mn});
  template <int M, int N>
  static constexpr unsigned column =
      static_cast<unsigned>(place_on(Plan::plan.c, M* Plan::plan.n_steps + N, axis::TCol));
};

}  // namespace detail

/// D = A * B, or D += A * B with accumulate. `what`: encode_instruction.
template <mma_types T>
__device__ __forceinline__ void tcgen05_mma(unsigned d, detail::stl::uint64_t a,
                                            detail::stl::uint64_t b, unsigned what,
                                            bool accumulate) {
  asm volatile(
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %4, 0;\n"
      "tcgen05.mma.cta_group::1.kind::%5 [%0], %1, %2, %3, accumulate;\n}" ::"r"(d),
      "l"(a), "l"(b), "r"(what), "r"(accumulate ? 1u : 0u),
      "C"(detail::assembly_text<detail::tcgen05_kind_name<T>>::value)
      : "memory");
}

namespace detail {

template <class Plan, int... Number>
__device__ __forceinline__ void issue_tcgen05(unsigned c, unsigned a, unsigned b, bool accumulate,
                                              indices<Number...>) {
  constexpr int m = mma_constants<Plan>::m_steps, n = mma_constants<Plan>::n_steps;
  (tcgen05_mma<mma_constants<Plan>::types>(
       c + tcgen05_constants<Plan>::template column<Number / n % m, Number % n>,
       tcgen05_descriptor_of<a_operand<Plan>, Number / n % m, Number / n / m>(a),
       tcgen05_descriptor_of<b_operand<Plan>, Number % n, Number / n / m>(b),
       tcgen05_constants<Plan>::what, Number / n / m > 0 || accumulate),
   ...);
}

}  // namespace detail

/// One thread: C += A * B, or C = A * B where `accumulate` is false.
template <class T, class L, class S, class A, class B>
__device__ __forceinline__ void mma(tensor_memory_tile<T, L, S> const& c, A const& a, B const& b,
                                    bool accumulate = true) {
  using planned = mma_of<tensor_memory_tile<T, L, S>, A, B>;
  using stop [[maybe_unused]] = typename detail::verdict<planned>::stop;
  detail::issue_tcgen05<planned>(
      c.address, detail::address_of(a), detail::address_of(b), accumulate,
      detail::indices_to<detail::mma_constants<planned>::instructions>{});
}

/// One warp allocates `Columns` columns and writes their address to shared memory.
template <int Columns> __device__ __forceinline__ void tcgen05_allocate(unsigned shared) {
  AXE_NEEDS_TCGEN05(Columns, "tcgen05_allocate");
  static_assert(Columns >= 32 && Columns <= 512 && (Columns & (Columns - 1)) == 0,
                "tensor memory is allocated by a power of two of columns from 32 to 512");
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared),
               "n"(Columns)
               : "memory");
}
/// The same warp, when nothing uses them any more.
template <int Columns> __device__ __forceinline__ void tcgen05_free(unsigned address) {
  AXE_NEEDS_TCGEN05(Columns, "tcgen05_free");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address), "n"(Columns)
               : "memory");
}
/// An arrival at the barrier when this thread's instructions are done.
template <int Any = 0> __device__ __forceinline__ void tcgen05_commit(mbarrier done) {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_commit");
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   done.address)
               : "memory");
}
/// Orders tcgen05 instructions before and behind a barrier of threads.
template <int Any = 0> __device__ __forceinline__ void tcgen05_fence_before() {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_fence_before");
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
template <int Any = 0> __device__ __forceinline__ void tcgen05_fence_after() {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_fence_after");
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
/// 32 columns of this warp's lanes, complete after tcgen05_wait_loads.
template <int Any = 0>
__device__ __forceinline__ void tcgen05_load(unsigned (&words)[32], unsigned address) {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_load");
#define AXE_WORD(N) "=r"(words[N]), "=r"(words[N + 1]), "=r"(words[N + 2]), "=r"(words[N + 3])
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, [%32];"
      : AXE_WORD(0), AXE_WORD(4), AXE_WORD(8), AXE_WORD(12), AXE_WORD(16), AXE_WORD(20),
        AXE_WORD(24), AXE_WORD(28)
      : "r"(address)
      : "memory");
#undef AXE_WORD
}
template <int Any = 0> __device__ __forceinline__ void tcgen05_wait_loads() {
  AXE_NEEDS_TCGEN05(Any, "tcgen05_wait_loads");
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
