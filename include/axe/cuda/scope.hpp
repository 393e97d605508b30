// A scope of execution: which threads do something together, as a layout over thread axes.
//
//     using consumers = axe::thread_scope<carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;     warps 4 to 7
//     if (consumers::holds(t)) …   consumers::number(t)            0 to 127 within it
//     axe::cta<256>, axe::warpgroup, axe::warp_scope, axe::one_thread     scopes with a name
//     axe::scope_in<axe::ctas_of_cluster<2>, consumers>                  those of both CTAs: number(rank, t) is 0 to 255
//     axe::kernel_scope<256>                                             all threads of the grid, along x
//
// The layout puts the scope's member k, counted from 0, at a thread; threads count up without gaps,
// so that membership is one comparison and the number one subtraction (none where the scope starts
// at thread 0). Refused at compile time: axes other than threads', copies, gaps, members that do
// not count upwards.
// Source: the Axe paper, section 4 (execution scopes).
#pragma once

#include <axe/atoms/target.hpp>  // before the names below: g++ says that the scopes of plans, declared later, shadow them
#include <axe/index/partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <class Members> struct thread_scope {
  static constexpr detail::partition_data data = detail::partition_from(
      Members::value, shape(detail::product_of_extents(Members::value.shards)));
  AXE_FN static constexpr refusal why() { return data.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = Members::value;
    refusal_text out;
    out.put("scope: ");
    print(out, data.why, {&l});
    return out;
  }
  using stop = typename detail::verdict<thread_scope>::stop;

  using layout_type = Members;
  /// How many threads it has, and the first one's number on the thread axis.
  static constexpr integer size = detail::product_of_extents(Members::value.shards);
  static constexpr integer first = data.first_thread;
  static_assert(first >= 0 && size <= 0xffff'ffff && first <= (integer{1} << 32) - size,
                "threads are numbered from 0, in 32 bits");
  static_assert(data.threads == size, "the members of a scope are consecutive threads, each once");
  static_assert(detail::counts_upwards(data), "member k of a scope is its k-th thread");
  static_assert(Members::value.replicas.empty(), "a thread is a member of a scope once");

  /// Is the thread a member?
  AXE_FN static constexpr bool holds(unsigned thread) {
    if constexpr (first == 0)
      return thread < static_cast<unsigned>(size);
    else
      return thread - static_cast<unsigned>(first) < static_cast<unsigned>(size);
  }
  /// Its number within the scope. Precondition: it is a member.
  AXE_FN static constexpr unsigned number(unsigned thread) {
    return thread - static_cast<unsigned>(first);
  }

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  /// Waits for all members, which must come: at barrier Id of the block for whole warps, within its
  /// warp for fewer threads. What they wrote before is seen after.
  /// Source: PTX ISA, "bar", "bar.warp.sync".
  template <int Id = 0> __device__ __forceinline__ static void sync() {
    static_assert(Id >= 0 && Id < 16, "a block has the barriers 0 to 15");
    constexpr bool one_warp = first / 32 == (first + size - 1) / 32;
    static_assert(one_warp || (size % 32 == 0 && first % 32 == 0),
                  "whole warps wait, or threads of one warp");
    if constexpr (size > 1 && one_warp) {
      constexpr unsigned members = static_cast<unsigned>(((integer{1} << size) - 1) << first % 32);
      __syncwarp(members);
    } else if constexpr (size > 1) {
      asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(static_cast<int>(size)) : "memory");
    }
  }
#endif
};

namespace detail {
template <integer Threads> struct cta_members {
  AXE_FN static constexpr layout make() {
    layout l;
    l.shards.push({Threads, 1, axis::tid});
    return l;
  }
  static constexpr layout value = make();
};
}  // namespace detail

/// The members of Inner in every member of Outer: CTAs of a cluster and threads of a CTA. Counted
/// Outer first.
template <class Outer, class Inner> struct scope_in {
  static constexpr integer size = Outer::size * Inner::size;

  AXE_FN static constexpr bool holds(unsigned outer, unsigned inner) {
    return Outer::holds(outer) && Inner::holds(inner);
  }
  AXE_FN static constexpr unsigned number(unsigned outer, unsigned inner) {
    return Outer::number(outer) * static_cast<unsigned>(Inner::size) + Inner::number(inner);
  }
};

namespace detail {
template <integer Ctas> struct cluster_members {
  AXE_FN static constexpr layout make() {
    layout l;
    l.shards.push({Ctas, 1, axis::cluster_cta_x});
    return l;
  }
  static constexpr layout value = make();
};
}  // namespace detail

/// All CTAs of a cluster of that many along x; others are layouts on cluster_cta_x.
template <integer Ctas>
using ctas_of_cluster = thread_scope<detail::carrier_of<detail::cluster_members<Ctas>>>;

/// All threads of a grid along x, in blocks of `Threads`. How many blocks there are is known to the
/// launch alone.
template <integer Threads> struct kernel_scope {
  AXE_FN static constexpr bool holds(unsigned, unsigned thread) {
    return thread < static_cast<unsigned>(Threads);
  }
  AXE_FN static constexpr integer number(unsigned block, unsigned thread) {
    return static_cast<integer>(block) * Threads + thread;
  }
};

/// All threads of a CTA of that many.
template <integer Threads>
using cta = thread_scope<detail::carrier_of<detail::cta_members<Threads>>>;
/// Four warps, one warp, one thread, counted from thread 0 of whatever numbers them.
using warpgroup = cta<128>;
using warp_scope = cta<32>;
using one_thread = cta<1>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
