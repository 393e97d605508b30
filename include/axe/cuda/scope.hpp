// SPDX-License-Identifier: MIT
// A scope: the threads that execute a call together.
//
//     copy(from, to, cta<256>);                    all 256 threads of a block
//     copy(from, to, warp);                        each warp for itself; also warpgroup, thread
//     using consumers = thread_scope<carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
//     if (consumers::holds(threadIdx.x)) copy(from, to, consumers{});               warps 4 to 7
//
// Source: the Axe paper, section 4. Definition: docs/index_code.md, "Scopes".
#pragma once

#include <axe/atoms/target.hpp>  // first: g++ warns if later enumerators shadow `warp`
#include <axe/index/partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Consecutive threads: member k is thread first + k.
template <class Members> struct thread_scope {
  static_assert(detail::never<Members>,
                "the members of a scope are a layout, written as a type: axe::carrier<...>");
};
template <carries_layout Members> struct thread_scope<Members> {
  static constexpr detail::partition_data partition = detail::partition_from(
      Members::value, shape(detail::product_of_extents(Members::value.shards)));
  AXE_FN static constexpr refusal why() { return partition.why; }
  AXE_FN static constexpr refusal_text text() {
    return detail::text_of_call("scope", partition.why, Members::value);
  }
  using stop = detail::verdict<thread_scope>::stop;

  static constexpr integer size = detail::product_of_extents(Members::value.shards);
  static constexpr integer first = partition.first_thread;
  static_assert(first >= 0 && size <= 0xffff'ffff && first <= (integer{1} << 32) - size,
                "the threads of a scope must have numbers from 0 to 2^32 - 1");
  static_assert(unit_of(partition.thread) != axe::scope::thread || first + size <= 1024,
                "the threads of a scope must have numbers from 0 to 1023, because a block has at "
                "most 1024 threads");
  static_assert(
      partition.thread != axis::lane || first + size <= 32,
      "a warp has the lanes 0 to 31: a scope of several warps names their lanes and warps");
  static_assert(partition.threads == size,
                "the members of a scope must be consecutive threads, each once");
  static_assert(detail::counts_upwards(partition),
                "the threads of a scope must be in ascending order: member k is thread first + k");
  static_assert(Members::value.replicas.count == 0,
                "a thread must be a member of a scope only once");

  AXE_FN static constexpr bool holds(unsigned thread) {
    return thread - static_cast<unsigned>(first) < static_cast<unsigned>(size);
  }
};

using axes::warp;

namespace detail {
struct no_scope {};
struct no_layout {};
template <class Scope> inline constexpr bool is_scope = requires { Scope::first + Scope::size; };
template <class Scope> struct scope_check {
  static constexpr bool passed = is_scope<Scope>;
  static_assert(passed,
                "this call needs a scope, the threads that execute it together: axe::cta<256>, "
                "axe::warp");
  using rejected = void;
};
}  // namespace detail

#ifdef __CUDACC__

/// All threads of a block, counted along x.
template <integer Threads> struct cta_scope {
  static_assert(Threads >= 1 && Threads <= 1024, "a block must have 1 to 1024 threads");
  static constexpr integer size = Threads, first = 0;
};
/// Groups of `Threads` consecutive threads. Each group executes the call for itself.
template <integer Threads> struct group_scope {
  static_assert(Threads >= 1 && Threads <= 1024, "a group must have 1 to 1024 threads");
  static constexpr integer size = Threads, first = 0;
};

/// The scopes of a block, of each warpgroup, and of each thread. `warp` is that of each warp.
template <integer Threads> inline constexpr cta_scope<Threads> cta{};
inline constexpr group_scope<128> warpgroup{};
inline constexpr group_scope<1> thread{};
template <class Result = bool> AXE_FN Result operator<(warp_unit, int) {
  static_assert(detail::never<Result>,
                "axe::warp takes no number: the scope of 8 warps is axe::cta<256>, and the number "
                "of a warp is axe::warp_id()");
  return {};
}

namespace detail {

template <class Scope> inline constexpr bool is_cta = false;
template <integer Threads> inline constexpr bool is_cta<cta_scope<Threads>> = true;
template <class Scope> inline constexpr bool are_groups = false;
template <integer Threads> inline constexpr bool are_groups<group_scope<Threads>> = true;
template <> inline constexpr bool are_groups<warp_unit> = true;

}  // namespace detail

/// The number of this thread in the scope, or in its group.
template <class Scope>
  requires(detail::is_scope<Scope>)
__device__ __forceinline__ unsigned thread_id(Scope) {
  constexpr unsigned first = static_cast<unsigned>(Scope::first);
  constexpr unsigned size = static_cast<unsigned>(Scope::size);
  if constexpr (detail::are_groups<Scope>)
    return size == 1 ? 0 : threadIdx.x % size;
  else
    return threadIdx.x - first;
}

namespace detail {

/// Where the scope begins on the thread axis of a layout whose first thread is `first`. If `first`
/// is 0, the axis counts threads of the scope. Otherwise it counts threads of the block, and each
/// group acts as the group of thread `first`.
template <class Scope> AXE_FN constexpr integer begin_on_axis(integer first) {
  if (first == 0) return 0;
  return are_groups<Scope> ? first - first % Scope::size : Scope::first;
}
template <integer First, class Scope>
__device__ __forceinline__ unsigned number_on_axis(Scope scope) {
  constexpr integer begin = begin_on_axis<Scope>(First);
  return thread_id(scope) + static_cast<unsigned>(begin);
}
template <class Scope> AXE_FN constexpr bool has_threads(auto const& p) {
  integer const begin = begin_on_axis<Scope>(p.first_thread);
  return p.first_thread >= begin && p.first_thread + p.threads <= begin + Scope::size &&
         (p.thread != axis::lane || Scope::size <= 32);
}
template <class Scope, auto const& P, integer Threads = P.threads>
using threads_check =
    broken_unless<Threads <= Scope::size, rule::scope_too_small, Threads, Scope::size>;
template <class P, class Scope> __device__ __forceinline__ bool owns_elements(unsigned number) {
  constexpr integer first = P::value.first_thread, threads = P::value.threads;
  return P::value.thread == axis::null || threads == Scope::size ||
         number - static_cast<unsigned>(first) < static_cast<unsigned>(threads);
}
/// True if all lanes of each warp execute the call. The last warp of a cta_scope may be smaller.
template <class Scope>
inline constexpr bool has_whole_warps =
    is_cta<Scope> || (Scope::first % 32 == 0 && Scope::size % 32 == 0) ||
    (are_groups<Scope> && 32 % Scope::size == 0);

}  // namespace detail

/// Waits for the threads of the scope. Their earlier writes are then visible. A thread_scope of
/// several warps uses named barrier `Barrier`; 0 is that of __syncthreads (PTX ISA, "bar").
template <int Barrier = 0, class Scope = detail::no_scope>
__device__ __forceinline__ void sync(Scope = {}) {
  using namespace detail;
  static_assert(is_scope<Scope>,
                "sync needs a scope, the threads that wait together: axe::cta<256>, axe::warp");
  static_assert(Barrier >= 0 && Barrier < 16, "a block has the barriers 0 to 15");
  static_assert(Barrier == 0 || !(is_cta<Scope> || are_groups<Scope>),
                "only a thread_scope takes the number of a barrier: axe::sync<1>(consumers{})");
  if constexpr (is_cta<Scope>) {
    __syncthreads();
  } else if constexpr (stl::is_same_v<Scope, warp_unit>) {
    __syncwarp();
  } else if constexpr (are_groups<Scope>) {
    static_assert(!(Scope::size > 1),
                  "each group needs its own barrier: pass a thread_scope of one group, or call "
                  "axe::barrier_sync<Barrier, 128>() in each warpgroup");
  } else if constexpr (is_scope<Scope>) {
    constexpr integer first = Scope::first, size = Scope::size;
    constexpr bool one_warp = first / 32 == (first + size - 1) / 32;
    static_assert(one_warp || (size % 32 == 0 && first % 32 == 0),
                  "only whole warps, or threads of one warp, can wait");
    if constexpr (size > 1 && one_warp)
      __syncwarp(static_cast<unsigned>(((integer{1} << size) - 1) << first % 32));
    else if constexpr (size > 1)
      asm volatile("bar.sync %0, %1;" ::"n"(Barrier), "n"(static_cast<int>(size)) : "memory");
  }
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
