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

/// A target whose stores add atomically.
template <class Side> struct adding_side {
  Side const& side;

  template <int Values, class Access, class Vector>
  __device__ __forceinline__ void store(Access const& a, Vector const& v) const {
    static_assert(Values == 1, "an atomic addition adds one element at a time");
    add(a, v.elements[0]);
  }
  template <int V, class Access, class Element>
  __device__ __forceinline__ void store_one(Access const& a, Element const& e) const {
    add(a, e);
  }

 private:
  template <class Access, class Element>
  __device__ __forceinline__ void add(Access const& a, Element const& e) const {
    if constexpr (requires { side.pointer(a); })
      atomicAdd(side.pointer(a), e);
    else
      add_at(a, e);
  }
  template <int Issue, class Element>
  __device__ __forceinline__ void add_at(constant<Issue>, Element const& e) const {
    add_in_shared(side.where.template at<Issue>(), e);
  }
};
/// Accesses are named as in the wrapped side.
template <class Side, int Issue>
inline constexpr auto issue_of<adding_side<Side>, Issue> = issue_of<Side, Issue>;

}  // namespace detail

template <class T, class P, class S, class To, class Scope>
__device__ __forceinline__ void atomic_add(fragment<T, P, S> const& from, To&& to, Scope scope) {
  constexpr auto how = copy_how{.force = detail::vector_of_bytes(sizeof(T))};
  using adding = detail::case_of<fragment<T, P, S>, To, Scope, how>;
  using stop [[maybe_unused]] = typename detail::verdict<adding>::stop;
  auto&& target = detail::operand(to);
  if constexpr (!adding::refused) {
    using target_type = detail::stl::remove_reference_t<decltype(target)>;
    using side = typename detail::side_of<adding, false, target_type>::type;
    unsigned const thread = detail::number_in<adding>(scope);
    detail::register_side<adding, fragment<T, P, S> const> const source(from, thread);
    side const there(target, thread);
    detail::copy_guard<adding, true, true> const both(from, target, thread);
    detail::copy_execution<adding>::template run_from<0>(source, detail::adding_side<side>{there},
                                                         both, both);
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
