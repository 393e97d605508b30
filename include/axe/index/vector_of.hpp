// SPDX-License-Identifier: MIT
// vector_of<T, Width>: elements that one instruction moves, 1 to 16 bytes in all. Their address
// must be a multiple of their size.
//
//     axe::vector_of<float, 4> const v = axe::load_vector<4>(p);       one 16-byte load
//
// Source: PTX ISA, "Vectors", "ld".
#pragma once

#include <axe/index/contribution.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

#ifdef __CUDACC__
template <class T, int Width = 1, auto Bytes = Width * sizeof(T)>
using word_for = stl::conditional_t<
    Bytes == 1, unsigned char,
    stl::conditional_t<
        Bytes == 2, unsigned short,
        stl::conditional_t<Bytes == 4, unsigned,
                           stl::conditional_t<stl::is_same_v<stl::remove_const_t<T>, float>,
                                              stl::conditional_t<Bytes == 8, float2, float4>,
                                              stl::conditional_t<Bytes == 8, uint2, uint4>>>>>;

template <class T> struct scalar_base {
  T value;
  AXE_FN constexpr operator T() const { return value; }
};
/// Derives from a class T, and so has its conversions.
template <class Packed, class T>
struct packed_element : stl::conditional_t<__is_class(T), T, scalar_base<T>> {
  Packed& of;
  int k;

  AXE_FN constexpr packed_element const& operator=(T const& value) const {
    of.set(k, value);
    return *this;
  }
  AXE_FN constexpr packed_element const& operator=(packed_element const& other) const {
    return *this = static_cast<T>(other);
  }
};

/// Elements of 1 or 2 bytes. In an array, each would get its own register if a loop or predicate
/// selects between vectors.
template <class T, int Width> struct packed_elements {
  static constexpr int each = 4 / int{sizeof(T)};
  /// A cast between a word and this type is one mov.b32.
  struct parts {
    word_for<T> of[each];
  };
  unsigned words[Width / each];

  packed_elements() = default;
  template <class... Elements>
    requires(sizeof...(Elements) > 0 && sizeof...(Elements) <= Width)
  AXE_FN constexpr packed_elements(Elements const&... first) : words{} {
    [[maybe_unused]] int k = 0;
    (set(k++, first), ...);
  }

  AXE_FN constexpr T get(int k) const {
    return __builtin_bit_cast(T, __builtin_bit_cast(parts, words[k / each]).of[k % each]);
  }
  AXE_FN constexpr void set(int k, T const& value) {
    parts all = __builtin_bit_cast(parts, words[k / each]);
    all.of[k % each] = __builtin_bit_cast(word_for<T>, value);
    words[k / each] = __builtin_bit_cast(unsigned, all);
  }
  AXE_FN constexpr auto operator[](int k) {
    return packed_element<packed_elements, T>{{get(k)}, *this, k};
  }
  AXE_FN constexpr T operator[](int k) const { return get(k); }
};
template <class T, int Width>
using elements_of = stl::conditional_t<(sizeof(T) == 1 || sizeof(T) == 2) && Width * sizeof(T) >= 4,
                                       packed_elements<T, Width>, T[Width]>;
#else
template <class T, int Width> using elements_of = T[Width];
#endif

}  // namespace detail

/// v[k] and v[constant<k>{}] read or assign an element. Kernels pack elements of 1 or 2 bytes.
template <class T, int Width>
struct alignas(Width == 1 ? alignof(T) : Width * sizeof(T)) vector_of {
  static_assert(Width == 1 || (detail::is_power_of_two(Width * integer{sizeof(T)}) &&
                               Width * sizeof(T) <= 16),
                "vector_of<T, Width>: Width elements must have 2, 4, 8 or 16 bytes");
  using value_type = T;
  static constexpr int size = Width;

  detail::elements_of<T, Width> elements;

  template <auto Element> AXE_FN constexpr decltype(auto) operator[](constant<Element>) {
    static_assert(Element >= 0 && Element < Width,
                  "v[constant<i>{}]: i must be from 0 to size - 1");
    return elements[Element];
  }
  template <auto Element> AXE_FN constexpr decltype(auto) operator[](constant<Element>) const {
    static_assert(Element >= 0 && Element < Width,
                  "v[constant<i>{}]: i must be from 0 to size - 1");
    return elements[Element];
  }
  AXE_FN constexpr decltype(auto) operator[](int element) { return elements[element]; }
  AXE_FN constexpr decltype(auto) operator[](int element) const { return elements[element]; }
};

namespace detail {

template <class T, int Width, int... Element>
AXE_FN constexpr vector_of<T, Width> gather(T const* from, indices<Element...>) {
  return {{from[Element]...}};
}
template <class T, int Width, int... Element>
AXE_FN constexpr void scatter(T* to, vector_of<T, Width> const& v, indices<Element...>) {
  ((to[Element] = v.elements[Element]), ...);
}

}  // namespace detail

/// Loads by one access. Precondition: `from` is a multiple of the size of the vector.
template <int Width, class T>
AXE_FN constexpr vector_of<detail::stl::remove_const_t<T>, Width> load_vector(T* from) {
  using namespace detail;
  using value = stl::remove_const_t<T>;
#ifdef __CUDA_ARCH__
  if (Width > 1 && !__builtin_is_constant_evaluated()) {
    using word = word_for<T, Width>;
    word const bits = *reinterpret_cast<word const*>(from);
    vector_of<value, Width> v;
    memcpy(&v, &bits, sizeof(v));
    return v;
  }
#endif
  return gather<value, Width>(from, indices_to<Width>{});
}

/// Stores by one access. Precondition: `to` is a multiple of the size of the vector.
template <class T, int Width>
AXE_FN constexpr void store_vector(T* to, vector_of<T, Width> const& v) {
#ifdef __CUDA_ARCH__
  if (Width > 1 && !__builtin_is_constant_evaluated()) {
    using word = detail::word_for<T, Width>;
    word bits;
    memcpy(&bits, &v, sizeof(v));
    // Without the empty asm nvcc 13.0 splits a vector of computed elements. With r instead of f,
    // the float sums of a loop would move to other registers.
    constexpr bool floats = detail::stl::is_same_v<T, float>;
    if constexpr (floats && sizeof(word) == 16)
      asm("" : "+f"(bits.x), "+f"(bits.y), "+f"(bits.z), "+f"(bits.w));
    else if constexpr (floats && sizeof(word) == 8)
      asm("" : "+f"(bits.x), "+f"(bits.y));
    else if constexpr (sizeof(word) == 16)
      asm("" : "+r"(bits.x), "+r"(bits.y), "+r"(bits.z), "+r"(bits.w));
    else if constexpr (sizeof(word) == 8)
      asm("" : "+r"(bits.x), "+r"(bits.y));
    *reinterpret_cast<word*>(to) = bits;
    return;
  }
#endif
  detail::scatter(to, v, detail::indices_to<Width>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
