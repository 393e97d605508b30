// SPDX-License-Identifier: MIT
// print(fragment): prints a fragment as a tile, once per warp, by printf.
//
//     print(c);           fragment of 16 x 8, warp 2 of block (0, 0, 0)
//                              0.5        .          ".": no lane of the warp holds it
//
// All lanes must call it. Definition: docs/index_code.md, "Debugging".
#pragma once

#include <axe/cuda/for_each.hpp>
#include <axe/cuda/fragment.hpp>

#ifdef __CUDACC__
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class T> __device__ __forceinline__ auto printed(T const& value) {
  if constexpr (any_integer<T>)
    return static_cast<long long>(value);
  else if constexpr (sizeof(T) == 8)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}

template <class T>
inline constexpr bool is_number = requires(T const& x) { static_cast<float>(x); };
template <class Fragment, int R, int... D>
__device__ __forceinline__ unsigned number_in_tile(unsigned thread, indices<D...>) {
  unsigned number = 0;
  ((number = number * static_cast<unsigned>(Fragment::shape_type::value.extent(D)) +
             Fragment::template coordinate<D>(constant<R>{}, thread)),
   ...);
  return number;
}
template <class Fragment, int... R>
__device__ void print_element(Fragment const& f, unsigned thread, bool owns, unsigned number,
                              indices<R...>) {
  constexpr indices_to<Fragment::partition_type::rank> all{};
  bool holds = false;
  decltype(printed(f[constant<0>{}])) value{};
  ((owns && number_in_tile<Fragment, R>(thread, all) == number
        ? (void)(holds = true, value = printed(f[constant<R>{}]))
        : void()),
   ...);
  unsigned const holders = __ballot_sync(~0u, holds);
  value = __shfl_sync(~0u, value, holders == 0 ? 0 : __ffs(static_cast<int>(holders)) - 1);
  if (threadIdx.x % 32 != 0) return;
  if (holders == 0)
    printf("        .");
  else
    printf(any_integer<decltype(value)> ? " %8lld" : " %8.4g", value);
}

template <class T, class P, class S>
__device__ void print_elements(fragment<T, P, S> const& f, auto scope) {
  using partition_type = fragment<T, P, S>::partition_type;
  constexpr int rank = partition_type::rank;
  constexpr unsigned columns = static_cast<unsigned>(S::value.extent(rank - 1));
  constexpr unsigned elements = static_cast<unsigned>(product_below(S::value, 0));
  constexpr integer first = partition_type::value.first_thread;
  unsigned const thread = number_on_axis<first>(scope);
  bool const owns = owns_elements<partition_type, decltype(scope)>(thread);
  if (threadIdx.x % 32 == 0)
    printf("fragment of %u x %u, warp %u of block (%u, %u, %u)\n", elements / columns, columns,
           threadIdx.x / 32, blockIdx.x, blockIdx.y, blockIdx.z);
  for (unsigned k = 0; k < elements; ++k) {
    print_element(f, thread, owns, k, indices_to<fragment<T, P, S>::size>{});
    if (threadIdx.x % 32 == 0 && k % columns + 1 == columns) printf("\n");
  }
}

}  // namespace detail

template <class Result = void>
__device__ Result print(detail::any_argument, detail::any_argument = {}) {
  static_assert(detail::never<Result>, "print takes a fragment: print(axe::load<P>(tile, scope))");
}
template <class T, class P, class S, class Scope = warp_unit>
__device__ void print(fragment<T, P, S> const& f, Scope scope = {}) {
  static_assert(detail::is_number<T>,
                "print takes a fragment of numbers: call elementwise to select a member of each");
  using check = detail::fragment_scope_check<fragment<T, P, S>, Scope>;
  static_cast<void>(check::passed && detail::verdict<typename check::threads>::passes());
  if constexpr (detail::is_number<T>) detail::print_elements(f, scope);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
