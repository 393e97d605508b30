// SPDX-License-Identifier: MIT
// atomic_add(fragment, tile, scope): adds a fragment to a tile of a tensor or of shared memory.
//
//     atomic_add(partial, tile<64, 32>(C, i, j), warp);
//
// Skips elements out of bounds. If several threads hold an element, only the first adds it.
// Elements are integers of 32 or 64 bits, float or double; in global memory also f16 or bf16.
// Source: PTX ISA, "red". Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/copy/copy.hpp>

#ifdef __CUDACC__

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
AXE_RED_SHARED(unsigned, "u32", "r")
AXE_RED_SHARED(unsigned long long, "u64", "l")
AXE_RED_SHARED(float, "f32", "f")
AXE_RED_SHARED(double, "f64", "d")
#undef AXE_RED_SHARED

/// Signed integers are added as unsigned ones: sums modulo 2^n have the same bits.
template <class T>
using added_type =
    stl::conditional_t<any_integer<T>,
                       stl::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>, T>;
template <class T> AXE_FN constexpr integer widest_addition_bytes() {
  if (!is_half<T> && !stl::is_same_v<T, float>) return sizeof(T);
  return compiled_architecture() >= architecture::sm_90 ? 16 : 4;
}

template <element_type Type, int Words>
__device__ __forceinline__ void add_words(unsigned long long at, unsigned const (&w)[Words]) {
  using type = assembly_text<name_of(Type)>;
  if constexpr (Words == 1)
    asm volatile("red.global.add.noftz.%2x2 [%0], %1;" ::"l"(at), "r"(w[0]), "C"(type::value)
                 : "memory");
  else if constexpr (Words == 2)
    asm volatile("red.global.add.noftz.v2.%3x2 [%0], {%1,%2};" ::"l"(at), "r"(w[0]), "r"(w[1]),
                 "C"(type::value)
                 : "memory");
  else
    asm volatile("red.global.add.noftz.v4.%5x2 [%0], {%1,%2,%3,%4};" ::"l"(at), "r"(w[0]),
                 "r"(w[1]), "r"(w[2]), "r"(w[3]), "C"(type::value)
                 : "memory");
}

template <class T, int Width>
__device__ __forceinline__ void add_in_global(T* at, vector_of<T, Width> const& v) {
  if constexpr (Width == 1)
    atomicAdd(reinterpret_cast<added_type<T>*>(at), static_cast<added_type<T>>(v.elements[0]));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  else if constexpr (element_type_of<T> == element_type::bf16) {
    auto const pair = __halves2bfloat162(v.elements[0], v.elements[1]);
    atomicAdd(reinterpret_cast<stl::remove_cvref_t<decltype(pair)>*>(at), pair);
  }
#endif
  else if constexpr (sizeof(T) == 2)
    add_words<element_type_of<T>, Width / 2>(__cvta_generic_to_global(at), v.elements.words);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  else if constexpr (Width == 2)
    atomicAdd(reinterpret_cast<float2*>(at), float2{v.elements[0], v.elements[1]});
  else
    atomicAdd(reinterpret_cast<float4*>(at),
              float4{v.elements[0], v.elements[1], v.elements[2], v.elements[3]});
#endif
}

template <class Case> struct adding_execution {
  static constexpr int values = Case::plan.values;

  template <class T, int... V>
  __device__ __forceinline__ static void add_first(T* at, vector_of<T, values> const& v, int n,
                                                   indices<V...>) {
    if (n >= values)
      add_in_global(at, v);
    else
      ((V < n ? add_in_global(at + V, vector_of<T, 1>{{v.elements[V]}}) : void()), ...);
  }
  template <int Issue, class From, class To, class Guard>
  __device__ __forceinline__ static void issue(From const& from, To const& to, Guard const&,
                                               Guard const& stores) {
    constexpr auto tested = test_steps_of<typename Guard::tests, Issue>;
    constexpr auto target = access_at<To, Issue>;
    if (!stores.in_bounds(tested)) return;
    auto const v = from.load(access_at<From, Issue>, indices_to<values>{});
    if constexpr (requires { to.pointer(target); } && Case::plan.cut)
      add_first(to.pointer(target), v, stores.values(tested), indices_to<values>{});
    else if constexpr (requires { to.pointer(target); })
      add_in_global(to.pointer(target), v);
    else
      add_in_shared(to.where.template at<Issue>(),
                    static_cast<added_type<typename Case::element>>(v.elements[0]));
  }
};

template <class From, class To, class Scope, integer Bytes>
AXE_FN constexpr auto widest_adding_case() {
  constexpr auto how = copy_how{.force = vector_of_bytes(Bytes)};
  using adding = case_of<From, To, Scope, how>;
  if constexpr (Bytes > sizeof(typename adding::element) && adding::refused)
    return widest_adding_case<From, To, Scope, Bytes / 2>();
  else
    return stl::type_identity<adding>{};
}
template <class From, class To, class Scope> struct planned_addition {
  using T = copy_operand<operand_type<From>>::element;
  static constexpr integer widest =
      tile_in_shared_memory<To> ? integer{sizeof(T)} : widest_addition_bytes<T>();
  using type = decltype(widest_adding_case<From, To, Scope, widest>())::type;
};
template <bool IsFragment, bool HasType> struct addition_check {
  static_assert(IsFragment, "atomic_add takes a fragment, a tile and a scope");
  static_assert(HasType,
                "atomic_add takes integers of 32 or 64 bits, float and double, and in global "
                "memory also __half and __nv_bfloat16");
};
template <class From, class To> AXE_FN constexpr bool has_addition() {
  if constexpr (is_fragment<From>) {
    using T = From::value_type;
    return any_integer<T> ? sizeof(T) == 4 || sizeof(T) == 8
                          : stl::is_same_v<T, float> || stl::is_same_v<T, double> ||
                                (is_half<T> && !tile_in_shared_memory<To>);
  } else {
    return true;
  }
}
template <class From, class To, class Scope, class Planned> struct addition_result {
  static constexpr bool fits = is_fragment<From> && !is_fragment<stl::remove_cvref_t<To>>;
  static constexpr bool has_type = has_addition<From, To>();
  using type = result_if<fits && has_type, addition_check<fits, has_type>,
                         typename copy_call<From, To, Scope, Planned>::type>;
};

}  // namespace detail

/// All threads of the scope call it. The order of the additions is not defined.
template <class From, class To, class Scope = detail::no_scope,
          class Planned = detail::planned_addition<From, To, Scope>,
          class Result = typename detail::addition_result<From, To, Scope, Planned>::type>
__device__ __forceinline__ Result
atomic_add(From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  return detail::execute<Result, Planned, detail::adding_execution>(from, to, scope AXE_CALLER);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
