// SPDX-License-Identifier: MIT
// copy_async: asynchronous copies to and from shared memory.
//
//     copy_async<zero_fill>(tile<64, 64>(in, i, k), stage, cta<128>);      cp.async; async_commit()
//     copy_async(tile<64, 64>(in, i, k), stage, full, thread);             cp.async.bulk
//
// With a barrier, the tile must be whole. The caller waits and fences. Definition: docs/plans.md,
// "Copy".
#pragma once

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/mbarrier.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Makes the earlier cp.async of this thread one group.
__device__ __forceinline__ void async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until all groups of this thread except the latest `Pending` have ended. Other threads see
/// the elements after a barrier.
template <int Pending = 0, class... Given> __device__ __forceinline__ void async_wait(Given...) {
  static_assert(!sizeof...(Given),
                "async_wait takes its number in angle brackets: async_wait<1>() waits for all "
                "groups except the latest");
  static_assert(!(Pending < 0), "async_wait<Pending>: Pending must be at least 0");
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

namespace detail {

/// If not Whole, copies `bytes` bytes and fills the rest with zeros. `from` stays generic: its
/// value is the global address, and nvcc would repeat a conversion for each access.
template <int Bytes, bool Whole, cache_hint Hint, integer Immediate>
__device__ __forceinline__ void cp_async(displaced<unsigned, Immediate> const& to, void const* from,
                                         unsigned bytes) {
  using level = assembly_text<Bytes == 16 ? "cg" : "ca">;
  if constexpr (Hint != cache_hint::none)
    asm volatile(
        "cp.async.%6.shared.global.L2::cache_hint [%0+%1], [%2], %3, %4, %5;" ::"r"(to.base),
        "n"(Immediate), "l"(from), "n"(Bytes), "r"(bytes), "l"(policy_of<Hint>().bits),
        "C"(level::value)
        : "memory");
  else if constexpr (Whole)
    asm volatile("cp.async.%4.shared.global [%0+%1], [%2], %3;" ::"r"(to.base), "n"(Immediate),
                 "l"(from), "n"(Bytes), "C"(level::value)
                 : "memory");
  else
    asm volatile("cp.async.%5.shared.global [%0+%1], [%2], %3, %4;" ::"r"(to.base), "n"(Immediate),
                 "l"(from), "n"(Bytes), "r"(bytes), "C"(level::value)
                 : "memory");
}

template <class Case> struct async_execution {
  static constexpr copy_steps plan = Case::plan;
  static constexpr int bytes = plan.bytes;
  static constexpr bool fills_zeros = plan.outside == copy_outside::zero;

  template <int Issue, class From, class Loads, class Stores>
  __device__ __forceinline__ static void issue(From const& from, auto const& to, Loads const& loads,
                                               Stores const& stores) {
    constexpr auto read = access_at<From, Issue>;
    constexpr bool indexed = requires { from.template select<Issue>(); };
    constexpr bool whole = !fills_zeros || (!indexed && Loads::tests::count == 0);
    if (!stores.in_bounds(test_steps_of<typename Stores::tests, Issue>)) return;
    bool has_row = true;
    auto* at = from.pointer(read);
    if constexpr (indexed) {
      From at_row = from;
      at_row.selected = from.template select<Issue>();
      has_row = at_row.selected >= 0;
      at = at_row.pointer(read);
    }
    if (!fills_zeros && !has_row) return;
    unsigned read_bytes = static_cast<unsigned>(bytes);
    if constexpr (!whole) {
      constexpr auto loaded = test_steps_of<typename Loads::tests, Issue>;
      if constexpr (plan.cut) {
        int const n = loads.values(loaded);
        if (n < plan.values)
          read_bytes =
              static_cast<unsigned>(sizeof(typename Case::element)) * static_cast<unsigned>(n);
      }
      if (!has_row || !loads.in_bounds(loaded)) read_bytes = 0;
    }
    cp_async<bytes, whole, plan.cache>(to.where.template at<Issue>(), at, read_bytes);
  }
};

template <class Case> struct bulk_execution {
  static constexpr copy_steps plan = Case::plan;
  static constexpr int bytes = plan.bytes;
  static_assert(plan.to_space == memory_space::global ||
                    edges_of(Case::source::facts, Case::target::facts).empty() ||
                    guard_tests<Case, true, true>::count == 0,
                "copy_async with a barrier: the tile must be whole, but it may be partial; pass no "
                "barrier, or axe::exact_grid(tile) if the whole tile is always in bounds");
  unsigned barrier;

  template <int Issue, class From, class To, class Stores>
  __device__ __forceinline__ void issue(From const& from, To const& to, auto const&,
                                        Stores const& stores) const {
    if (!stores.in_bounds(test_steps_of<typename Stores::tests, Issue>)) return;
    if constexpr (plan.to_space == memory_space::global) {
      auto const there = __cvta_generic_to_global(to.pointer(access_at<To, Issue>));
      unsigned const here = static_cast<unsigned>(from.where.template at<Issue>());
      if constexpr (plan.cache != cache_hint::none)
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
                there),
            "r"(here), "r"(bytes), "l"(policy_of<plan.cache>().bits)
            : "memory");
      else
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(there),
                     "r"(here), "r"(bytes)
                     : "memory");
    } else {
      unsigned const there = static_cast<unsigned>(to.where.template at<Issue>());
      auto const here = __cvta_generic_to_global(from.pointer(access_at<From, Issue>));
      if constexpr (plan.cache != cache_hint::none)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
            "[%0], [%1], %2, [%3], %4;" ::"r"(there),
            "l"(here), "r"(bytes), "r"(barrier), "l"(policy_of<plan.cache>().bits)
            : "memory");
      else
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(there),
            "l"(here), "r"(bytes), "r"(barrier)
            : "memory");
    }
  }
};

/// Drops zero_fill for copies with a barrier, whose tiles are whole.
AXE_FN constexpr copy_how with_completion(copy_how how, copy_instruction preferred,
                                          copy_completion completion) {
  if (how.force == copy_instruction::any) how.force = preferred;
  if (completion != copy_completion::group) how.outside = copy_outside::skip;
  how.completion = completion;
  return how;
}

/// A default argument fails before Result is computed, a constraint after it.
template <class X>
  requires(!requires(X const& x) { x.map; })
using without_map = void;

template <bool Passed> struct async_check {
  static_assert(
      Passed,
      "copy_async takes a scope, or an mbarrier and a scope: copy_async(from, to, scope), "
      "copy_async(from, to, bars[0], scope); with of_pair(bars[0]) it loads a mapped tile and "
      "takes no options");
};
template <class From, class To, class Scope, packed_how How, copy_instruction Preferred,
          copy_completion Completion>
struct async_case : planned_case<From, To, Scope, with_completion(How, Preferred, Completion)> {};
template <class From, class To, class Scope, packed_how How>
struct group_case
    : async_case<From, To, Scope, How,
                 tile_in_shared_memory<From> ? copy_instruction::bulk : copy_instruction::any,
                 copy_completion::group> {};
template <class Case>
using group_execution = stl::conditional_t<Case::plan.from_space == memory_space::shared,
                                           bulk_execution<Case>, async_execution<Case>>;
}  // namespace detail

/// Copies by cp.async to shared memory, or by cp.async.bulk to global memory. The caller commits by
/// async_commit() or bulk_commit().
template <packed_how How = copy_how{}, class From, class To, class Scope = detail::no_scope,
          class = detail::without_map<To>, class Planned = detail::group_case<From, To, Scope, How>,
          class Result = typename detail::copy_call<From, To, Scope, Planned>::type>
__device__ __forceinline__ Result
copy_async(From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  return detail::execute<Result, Planned, detail::group_execution>(from, to, scope AXE_CALLER);
}

/// Copies by cp.async.bulk to shared memory. The barrier counts the bytes.
template <packed_how How = copy_how{}, class From, class To, class Barrier, class Scope,
          class = detail::without_map<From>,
          class Planned = detail::async_case<From, To, Scope, How, copy_instruction::bulk,
                                             copy_completion::barrier>,
          class Result = typename detail::copy_call<From, To, Scope, Planned>::type>
  requires detail::stl::is_same_v<Barrier, mbarrier>
__device__ __forceinline__ Result copy_async(From const& from, To const& to, Barrier barrier,
                                             Scope scope AXE_CALLED_FROM) {
  return detail::execute<Result, Planned, detail::bulk_execution>(from, to, scope AXE_CALLER,
                                                                  barrier.address);
}

template <packed_how How = copy_how{}, class From>
__device__ void copy_async(From const&, detail::any_argument, detail::any_argument,
                           detail::any_argument = {}) {
  detail::async_check<detail::never<From>>();
}

template <packed_how, packed_how, packed_how..., class From,
          class Result = detail::options_check<detail::never<From>>>
__device__ Result copy_async(From const&, auto const&...);

/// The expect_tx count of a copy to this tile.
template <class Tile>
inline constexpr unsigned bytes_of_tile =
    static_cast<unsigned>(detail::product_of_extents(
        detail::copy_operand<detail::operand_type<Tile>>::facts.where.shards)) *
    static_cast<unsigned>(
        sizeof(typename detail::copy_operand<detail::operand_type<Tile>>::element));

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
