// SPDX-License-Identifier: MIT
// Loads and stores of global memory with a cache hint, of 1, 2, 4, 8 or 16 bytes.
//
//     hinted<cache_hint::evict_first>().load<8>(halves);        ld.global.L2::cache_hint.v4
//     hinted<cache_hint::read_only>().load<1>(floats);          ld.global.nc.L1::no_allocate.u32
#pragma once

#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/cache_policy.hpp>
#include <axe/index/bind_address.hpp>
#include <axe/index/vector_of.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

#define AXE_NO_POLICY(OPERAND) ""
#define AXE_L2_POLICY(OPERAND) ", " OPERAND
#define AXE_LOAD_BYTES(NAME, POLICY, ...)                                        \
  if constexpr (Bytes == 16)                                                     \
    asm volatile("ld.global" NAME ".v4.u32 {%0,%1,%2,%3}, [%4]" POLICY("%5") ";" \
                 : AXE_OPERANDS_4("=r", w, 0)                                    \
                 : "l"(from)__VA_OPT__(, ) __VA_ARGS__                           \
                 : "memory");                                                    \
  else if constexpr (Bytes == 8)                                                 \
    asm volatile("ld.global" NAME ".v2.u32 {%0,%1}, [%2]" POLICY("%3") ";"       \
                 : AXE_OPERANDS_2("=r", w, 0)                                    \
                 : "l"(from)__VA_OPT__(, ) __VA_ARGS__                           \
                 : "memory");                                                    \
  else                                                                           \
    asm volatile("ld.global" NAME ".u%1 %0, [%2]" POLICY("%3") ";"               \
                 : "=r"(w[0])                                                    \
                 : "n"(8 * Bytes), "l"(from)__VA_OPT__(, ) __VA_ARGS__           \
                 : "memory")
#define AXE_STORE_BYTES(NAME, POLICY, ...)                                                      \
  if constexpr (Bytes == 16)                                                                    \
    asm volatile("st.global" NAME                                                               \
                 ".v4.u32 [%4], {%0,%1,%2,%3}" POLICY("%5") ";" ::AXE_OPERANDS_4("r", w, 0),    \
                 "l"(to)__VA_OPT__(, ) __VA_ARGS__                                              \
                 : "memory");                                                                   \
  else if constexpr (Bytes == 8)                                                                \
    asm volatile("st.global" NAME                                                               \
                 ".v2.u32 [%2], {%0,%1}" POLICY("%3") ";" ::AXE_OPERANDS_2("r", w, 0),          \
                 "l"(to)__VA_OPT__(, ) __VA_ARGS__                                              \
                 : "memory");                                                                   \
  else                                                                                          \
    asm volatile("st.global" NAME ".u%1 [%2], %0" POLICY("%3") ";" ::"r"(w[0]), "n"(8 * Bytes), \
                 "l"(to)__VA_OPT__(, ) __VA_ARGS__                                              \
                 : "memory")

template <cache_hint Hint> struct hinted {
  decltype(policy_of<Hint>()) policy = policy_of<Hint>();

  /// The address must be a multiple of Width * sizeof(T).
  template <int Width, class T>
  __device__ __forceinline__ vector_of<stl::remove_const_t<T>, Width> load(T* from) const {
    constexpr int Bytes = Width * int{sizeof(T)};
    static_assert(Bytes <= 16, "an access must have at most 16 bytes");
    unsigned w[4]{};
    if constexpr (is_policy_of_l2(Hint)) {
      AXE_LOAD_BYTES(".L2::cache_hint", AXE_L2_POLICY, "l"(policy.bits));
    } else if constexpr (Hint == cache_hint::read_only) {
      AXE_LOAD_BYTES(".nc.L1::no_allocate", AXE_NO_POLICY);
    } else {
      AXE_LOAD_BYTES(".L1::no_allocate", AXE_NO_POLICY);
    }
    vector_of<stl::remove_const_t<T>, Width> v;
    memcpy(&v, w, sizeof(v));
    return v;
  }
  template <class T, int Width>
  __device__ __forceinline__ void store(T* to, vector_of<T, Width> const& v) const {
    constexpr int Bytes = Width * int{sizeof(T)};
    unsigned w[4]{};
    memcpy(w, &v, sizeof(v));
    if constexpr (is_policy_of_l2(Hint)) {
      AXE_STORE_BYTES(".L2::cache_hint", AXE_L2_POLICY, "l"(policy.bits));
    } else {
      AXE_STORE_BYTES(".L1::no_allocate", AXE_NO_POLICY);
    }
  }
};

#undef AXE_NO_POLICY
#undef AXE_L2_POLICY
#undef AXE_LOAD_BYTES
#undef AXE_STORE_BYTES

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
