// vector_of<T, W>: W elements that one instruction moves: 1 to 16 bytes, aligned to their size.
//
//     axe::vector_of<float, 4> const v = axe::load_vector<4>(p);       one ld.global.v4
//     v[axe::constant<2>{}]                                            the third float
//
// Source: PTX ISA, "Vectors", "ld".
#pragma once

#include <axe/index/emit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <class T, int W> struct alignas(W == 1 ? alignof(T) : W * sizeof(T)) vector_of {
  static_assert(W == 1 || detail::is_power_of_two(W * static_cast<integer>(sizeof(T))),
                "a vector has 2, 4, 8 or 16 bytes");
  using value_type = T;
  static constexpr int size = W;

  T elements[W];

  template <auto K> AXE_FN constexpr T& operator[](constant<K>) {
    static_assert(K >= 0 && K < W, "the vector has no such element");
    return elements[K];
  }
  template <auto K> AXE_FN constexpr T const& operator[](constant<K>) const {
    static_assert(K >= 0 && K < W, "the vector has no such element");
    return elements[K];
  }
};

namespace detail {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
/// The integer that one instruction moves.
template <int Bytes> struct word_of_bytes;
template <> struct word_of_bytes<1> {
  using type = unsigned char;
};
template <> struct word_of_bytes<2> {
  using type = unsigned short;
};
template <> struct word_of_bytes<4> {
  using type = unsigned;
};
template <> struct word_of_bytes<8> {
  using type = uint2;
};
template <> struct word_of_bytes<16> {
  using type = uint4;
};
#endif

template <class T, int W, int... K>
AXE_FN constexpr vector_of<T, W> gather(T const* from, indices<K...>) {
  return {{from[K]...}};
}
template <class T, int W, int... K>
AXE_FN constexpr void scatter(T* to, vector_of<T, W> const& v, indices<K...>) {
  ((to[K] = v.elements[K]), ...);
}

}  // namespace detail

/// W elements of T from an address that is a multiple of W * sizeof(T).
template <int W, class T>
AXE_FN constexpr vector_of<detail::stl::remove_const_t<T>, W> load_vector(T* from) {
  using value = detail::stl::remove_const_t<T>;
#if defined(__CUDA_ARCH__)
  if (W > 1 && !__builtin_is_constant_evaluated()) {
    using word = typename detail::word_of_bytes<W* static_cast<int>(sizeof(T))>::type;
    word const bits = *reinterpret_cast<word const*>(from);
    vector_of<value, W> v;
    memcpy(&v, &bits, sizeof(v));
    return v;
  }
#endif
  return detail::gather<value, W>(from, detail::indices_to<W>{});
}

/// Stores W elements at an address that is a multiple of W * sizeof(T).
template <class T, int W> AXE_FN constexpr void store_vector(T* to, vector_of<T, W> const& v) {
#if defined(__CUDA_ARCH__)
  if (W > 1 && !__builtin_is_constant_evaluated()) {
    using word = typename detail::word_of_bytes<W* static_cast<int>(sizeof(T))>::type;
    word bits;
    memcpy(&bits, &v, sizeof(v));
    *reinterpret_cast<word*>(to) = bits;
    return;
  }
#endif
  detail::scatter(to, v, detail::indices_to<W>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
