// SPDX-License-Identifier: MIT
// atomic_add(fragment, tile, scope): adds the elements of a fragment to a tile of a tensor or of
// shared memory, atomically.
//
//     axe::atomic_add(partial, axe::tile<64, 32>(C, i, j), axe::warp);     end of a split-K product
//
// Elements out of bounds are skipped. If several threads hold an element, only the first adds it.
// Element types: int, unsigned, float, double, and 64-bit unsigned integers. Source: PTX ISA,
// "red". Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/copy.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

#define AXE_RED_SHARED(TYPE, SUFFIX, REGISTER)                                            \
  template <integer Immediate>                                                            \
  __device__ __forceinline__ void add_in_shared(displaced<unsigned, Immediate> const& at, \
                                                TYPE value) {                             \
    asm volatile("red.shared.add." SUFFIX " [%0+%1], %2;" ::"r"(at.base), "n"(Immediate), \
                 REGISTER(value)                                                          \
                 : "memory");                                                             \
  }
AXE_RED_SHARED(int, "s32", "r")
AXE_RED_SHARED(unsigned, "u32", "r")
AXE_RED_SHARED(unsigned long long, "u64", "l")
AXE_RED_SHARED(float, "f32", "f")
AXE_RED_SHARED(double, "f64", "d")
#undef AXE_RED_SHARED

template <class Case> struct adding_execution {
  template <int Issue, class From, class To, class Guard>
  __device__ __forceinline__ static void issue(From const& from, To const& to, Guard const&,
                                               Guard const& stores) {
    constexpr auto tested = tests_of<typename Guard::tests, Issue>;
    constexpr auto written = issue_of<To, Issue>;
    if (!stores.in_bounds(tested)) return;
    auto const value = from.template load<1>(constant<Issue>{}).elements[0];
    if constexpr (requires { to.pointer(written); })
      atomicAdd(to.pointer(written), value);
    else
      add_in_shared(to.where.template at<Issue>(), value);
  }
};

}  // namespace detail

template <class T, class P, class S, class To, class Scope>
__device__ __forceinline__ void atomic_add(fragment<T, P, S> const& from, To&& to, Scope scope) {
  constexpr auto how = copy_how{.force = detail::vector_of_bytes(sizeof(T))};
  using adding = detail::case_of<fragment<T, P, S>, To, Scope, how>;
  using stop [[maybe_unused]] = typename detail::verdict<adding>::stop;
  if constexpr (!adding::refused)
    detail::execute<adding>(detail::adding_execution<adding>{}, from, detail::operand(to), scope);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
