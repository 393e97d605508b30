// SPDX-License-Identifier: MIT
// Loads and stores of shared memory at [register + immediate].
//
//     float const x = load_shared<float>(rows.at<16, 4>());            rows: from bind_address
//
// A generic pointer would need address arithmetic for each access.
#pragma once

#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/debug.hpp>
#include <axe/index/bind_address.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
/// As a default argument of a copy constructor, rejects the copy.
template <bool Passed> struct copy_check {
  static_assert(
      Passed,
      "shared memory cannot be copied, because the copy would belong to one thread: declare a "
      "reference, as in auto& tile = tiles[k]; if a call reports this, the scope is missing or "
      "misplaced: it is the third argument of copy, and follows the scratch of reduce");
};
}  // namespace detail

#ifdef __CUDACC__

/// The 32-bit address of p. Precondition: p points to shared memory.
template <class T> __device__ __forceinline__ unsigned shared_address(T const* p) {
#ifdef AXE_DEBUG
  detail::check_shared(p);
#endif
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

namespace detail {

__device__ __forceinline__ unsigned address_in_cta(unsigned address, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}

template <class T> __device__ __forceinline__ T from_bits(void const* words) {
  T value;
  memcpy(&value, words, sizeof(T));
  return value;
}

template <class T>
inline constexpr bool has_floats = stl::is_same_v<T, float> || requires {
  requires stl::is_same_v<typename T::value_type, float>;
};

}  // namespace detail

/// The address must be a multiple of sizeof(T), as in store_shared.
template <class T, integer Immediate>
__device__ __forceinline__ T load_shared(displaced<unsigned, Immediate> const& at) {
  static_assert(detail::is_power_of_two(sizeof(T)) && sizeof(T) <= 16,
                "load_shared<T>: T must have 1, 2, 4, 8 or 16 bytes");
  // From a 64-bit word nvcc would extract bytes by 64-bit shifts on sm_100a.
  constexpr bool of_bytes = requires { requires sizeof(typename T::value_type) == 1; };
  if constexpr (sizeof(T) == 8 && !of_bytes) {
    detail::stl::uint64_t x;
    asm volatile("ld.shared.u64 %0, [%1+%2];" : "=l"(x) : "r"(at.base), "n"(Immediate) : "memory");
    return detail::from_bits<T>(&x);
  }
  unsigned w[4]{};
  if constexpr (sizeof(T) == 16)
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4+%5];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "r"(at.base), "n"(Immediate)
                 : "memory");
  else if constexpr (sizeof(T) == 8)
    asm volatile("ld.shared.v2.u32 {%0,%1}, [%2+%3];"
                 : "=r"(w[0]), "=r"(w[1])
                 : "r"(at.base), "n"(Immediate)
                 : "memory");
  else
    asm volatile("ld.shared.u%3 %0, [%1+%2];"
                 : "=r"(w[0])
                 : "r"(at.base), "n"(Immediate), "n"(8 * sizeof(T))
                 : "memory");
  return detail::from_bits<T>(w);
}

template <class T, integer Immediate>
__device__ __forceinline__ void store_shared(displaced<unsigned, Immediate> const& at,
                                             T const& value) {
  static_assert(detail::is_power_of_two(sizeof(T)) && sizeof(T) <= 16,
                "store_shared: the value must have 1, 2, 4, 8 or 16 bytes");
  // With unsigned words, nvcc would move float sums to other registers after their loop.
  using word = detail::stl::conditional_t<detail::has_floats<T>, float, unsigned>;
  word w[4]{};
  memcpy(w, &value, sizeof(T));
#define AXE_STORE_SHARED(TYPE)                                                                    \
  if constexpr (sizeof(T) == 16)                                                                  \
    asm volatile("st.shared.v4.b32 [%0+%1], {%2,%3,%4,%5};" ::"r"(at.base), "n"(Immediate),       \
                 TYPE(w[0]), TYPE(w[1]), TYPE(w[2]), TYPE(w[3])                                   \
                 : "memory");                                                                     \
  else if constexpr (sizeof(T) == 8)                                                              \
    asm volatile("st.shared.v2.b32 [%0+%1], {%2,%3};" ::"r"(at.base), "n"(Immediate), TYPE(w[0]), \
                 TYPE(w[1])                                                                       \
                 : "memory");                                                                     \
  else                                                                                            \
    asm volatile("st.shared.b%3 [%0+%1], %2;" ::"r"(at.base), "n"(Immediate), TYPE(w[0]),         \
                 "n"(8 * sizeof(T))                                                               \
                 : "memory")
  if constexpr (detail::has_floats<T>) {
    AXE_STORE_SHARED("f");
  } else {
    AXE_STORE_SHARED("r");
  }
#undef AXE_STORE_SHARED
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
