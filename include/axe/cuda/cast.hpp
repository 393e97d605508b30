// SPDX-License-Identifier: MIT
// cast(from, to): converts the elements of a fragment to the type of another one.
//
//     cast(scores, weights);                       cvt.rn.f16x2.f32 for two registers
//
// An element must lie in the same thread in both fragments.
#pragma once

#include <axe/cuda/assembly_text.hpp>
#include <axe/cuda/elementwise.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr bool is_byte_float(element_type t) {
  return t == element_type::e4m3 || t == element_type::e5m2;
}
AXE_FN constexpr int converted_together(element_type to, int size) {
  int const pairs = size % 2 == 0 ? 2 : 1;
  switch (to) {
    case element_type::bf16:
    case element_type::f16: return pairs;
    case element_type::s8:
    case element_type::u8: return size % 4 == 0 ? 4 : 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    case element_type::e4m3:
    case element_type::e5m2: return size % 4 == 0 ? 4 : pairs;
#endif
    default: return 1;
  }
}

template <element_type To> __device__ __forceinline__ unsigned cast_pair(float low, float high) {
  unsigned word = 0;
  if constexpr (To == element_type::bf16) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  } else if constexpr (To == element_type::f16) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  } else {
    unsigned short pair = 0;
    asm("cvt.rn.satfinite.%3x2.f32 %0, %1, %2;"
        : "=h"(pair)
        : "f"(high), "f"(low), "C"(assembly_text<name_of(To)>::value));
    word = pair;
  }
  return word;
}

/// The low half of `upper` becomes the high half of the result.
template <element_type To>
__device__ __forceinline__ unsigned pack_bytes(int low, int high, unsigned upper) {
  unsigned word = 0;
  asm("cvt.pack.sat.%4.s32.b32 %0, %1, %2, %3;"
      : "=r"(word)
      : "r"(high), "r"(low), "r"(upper), "C"(assembly_text<name_of(To)>::value));
  return word;
}
/// For 8-bit floats, converts and packs in one asm: ptxas would not merge the two if nvcc moved
/// the packing to a predicated store.
template <element_type To>
__device__ __forceinline__ unsigned cast_four(float v0, float v1, float v2, float v3) {
  unsigned word = 0;
  if constexpr (is_byte_float(To)) {
    asm("{.reg .b16 l, h; cvt.rn.satfinite.%5x2.f32 l, %2, %1; "
        "cvt.rn.satfinite.%5x2.f32 h, %4, %3; mov.b32 %0, {l, h};}"
        : "=r"(word)
        : "f"(v0), "f"(v1), "f"(v2), "f"(v3), "C"(assembly_text<name_of(To)>::value));
  } else {
    word = pack_bytes<To>(static_cast<int>(v2), static_cast<int>(v3), 0);
    word = pack_bytes<To>(static_cast<int>(v0), static_cast<int>(v1), word);
  }
  return word;
}

/// Widens the two 8-bit floats in the lower half of `word`. Before sm_89, CUDA's conversion has
/// about 40 instructions for each element.
template <element_type From> __device__ __forceinline__ unsigned widen_to_f16(unsigned word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890
  word = __byte_perm(word, 0, 0x1404);  // each byte becomes the upper byte of an f16
  if constexpr (From == element_type::e4m3) {
    // The exponent bias of e4m3 is 7, that of f16 is 15. A product with 2^8 is exact, also for
    // subnormals. It maps NaN to 480, which is above the largest e4m3, 448.
    asm("{.reg .b32 wide, size, nan; mul.rn.f16x2 wide, %1, %2; abs.f16x2 size, wide; "
        "set.gt.u32.f16x2 nan, size, %3; lop3.b32 %0, wide, nan, 0x7fff7fff, 0xf8;}"
        : "=r"(word)
        : "r"((word & 0x80008000) | (word >> 1 & 0x3f803f80)), "r"(0x5c005c00), "r"(0x5f005f00));
  }
#else
  asm("cvt.rn.f16x2.%2x2 %0, %1;"
      : "=r"(word)
      : "h"(static_cast<unsigned short>(word)), "C"(assembly_text<name_of(From)>::value));
#endif
  return word;
}
/// Widens the two 16-bit floats of `word`, or the two bytes of its lower half.
template <element_type From>
__device__ __forceinline__ void widen_pair(unsigned word, float& low, float& high) {
  if constexpr (From == element_type::u8) {
    low = __uint2float_rn(word & 255);
    high = __uint2float_rn(word >> 8 & 255);
  } else if constexpr (From == element_type::bf16) {
    // cvt would first move the upper bf16 to the lower half of a register.
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; mov.b32 %0, {0, l}; mov.b32 %1, {0, h};}"
        : "=f"(low), "=f"(high)
        : "r"(word));
  } else {
    if constexpr (From != element_type::f16) word = widen_to_f16<From>(word);
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
        : "=f"(low), "=f"(high)
        : "r"(word));
  }
}
/// Uses bfe, because ptxas merges it into the conversion, unlike nvcc's 16-bit operations.
template <element_type From>
__device__ __forceinline__ float byte_to_float(unsigned word, unsigned first_bit) {
  int byte = 0;
  if constexpr (From == element_type::s8)
    asm("bfe.s32 %0, %1, %2, 8;" : "=r"(byte) : "r"(word), "r"(first_bit));
  else
    asm("bfe.u32 %0, %1, %2, 8;" : "=r"(byte) : "r"(word), "r"(first_bit));
  return static_cast<float>(byte);
}
template <class Owning, int... D> AXE_FN consteval bool first_four_adjacent(indices<D...>) {
  if constexpr (Owning::registers % 4 == 0)
    return ((Owning::template step<1, D> == 1 && Owning::template step<3, D> == 3) || ...);
  else
    return false;
}
template <class From>
inline constexpr bool has_adjacent_bytes =
    (element_type_of<typename From::value_type> == element_type::u8 ||
     element_type_of<typename From::value_type> == element_type::s8) &&
    first_four_adjacent<typename From::partition_type>(indices_to<From::partition_type::rank>{});

template <element_type From, element_type To, int Count, class T>
__device__ __forceinline__ unsigned cast_together(T const* values) {
  constexpr bool widens_pairs =
      From == element_type::u8 || !(From == element_type::f32 || any_integer<T>);
  unsigned pairs[Count / 2]{}, word = 0;
  float floats[Count];
  for (int v = 0; v < Count; ++v) {
    if constexpr (!widens_pairs) {
      floats[v] = static_cast<float>(values[v]);
    } else if (v % 2 == 0) {
      memcpy(&pairs[v / 2], values + v, 2 * sizeof(T));
      widen_pair<From>(pairs[v / 2], floats[v], floats[v + 1]);
    }
  }
  if constexpr (From == element_type::f16 && is_byte_float(To)) {
    asm("{.reg .b16 l, h; cvt.rn.satfinite.%3x2.f16x2 l, %1; cvt.rn.satfinite.%3x2.f16x2 h, %2; "
        "mov.b32 %0, {l, h};}"
        : "=r"(word)
        : "r"(pairs[0]), "r"(pairs[Count / 2 - 1]), "C"(assembly_text<name_of(To)>::value));
  } else if constexpr (is_byte_float(From) && To == element_type::f16) {
    word = widen_to_f16<From>(pairs[0]);
  } else if constexpr (Count == 4) {
    word = cast_four<To>(floats[0], floats[1], floats[2], floats[3]);
  } else {
    word = cast_pair<To>(floats[0], floats[1]);
  }
  return word;
}

/// Converts `Together` elements at once, because nvcc would pack them one by one.
template <int Together, class From, class To>
__device__ __forceinline__ void cast_groups(From const& from, To& to) {
  using source = From::value_type;
  using target = To::value_type;
  [&]<int... R>(indices<R...>) {
    source const values[]{from.registers[matched<To, R, From>]...};
#pragma unroll
    for (int r = 0; r < To::size; r += Together) {
      unsigned const word =
          cast_together<element_type_of<source>, element_type_of<target>, Together>(values + r);
      memcpy(&to.registers[r], &word, Together * sizeof(target));
    }
  }(indices_to<To::size>{});
}
template <int InWord, bool ByByte, class From, class To>
__device__ __forceinline__ void cast_words(From const& from, To& to) {
  constexpr element_type type = element_type_of<typename From::value_type>;
#pragma unroll
  for (int r = 0; r < To::size; r += InWord) {
    unsigned word = 0;
    memcpy(&word, &from.registers[r], sizeof(word));
    for (int v = 0; v < InWord; v += ByByte ? 1 : 2)
      if constexpr (ByByte)
        to.registers[r + v] = byte_to_float<type>(word, 8 * v);
      else
        widen_pair<type>(word >> 8 * v, to.registers[r + v], to.registers[r + v + 1]);
  }
}

template <class From, class To>
__device__ __forceinline__ void cast_registers(From const& from, To& to) {
  using source = From::value_type;
  using target = To::value_type;
  constexpr element_type type = element_type_of<source>, result = element_type_of<target>;
  constexpr int in_word = sizeof(source) == 1 ? 4 : 2;
  constexpr bool narrow_float = is_half<source> || is_byte_float(type);
  constexpr bool exact_in_f32 = any_integer<source> && sizeof(source) <= 2 && !any_integer<target>;
  constexpr bool same_type = stl::is_same_v<source, target>;
  constexpr int together = !same_type && (type == element_type::f32 || narrow_float || exact_in_f32)
                               ? converted_together(result, To::size)
                               : 1;
  constexpr bool whole_words =
      stl::is_same_v<typename From::layout_type, typename To::layout_type> &&
      To::size % in_word == 0;
  constexpr bool adjacent_bytes = whole_words && has_adjacent_bytes<From>;
  constexpr bool bytes_as_words = adjacent_bytes || (type == element_type::u8 && whole_words);
  if constexpr (bytes_as_words && together > 1) {
    // Reads four bytes as one word.
    fragment<float, typename To::layout_type, typename To::shape_type> wide;
    cast_registers(from, wide);
    cast_registers(wide, to);
  } else if constexpr (together > 1) {
    cast_groups<together>(from, to);
  } else if constexpr ((bytes_as_words || (narrow_float && whole_words)) &&
                       result == element_type::f32) {
    cast_words<in_word, adjacent_bytes>(from, to);
  } else {
    // CUDA does not convert between the 8-bit floats.
    constexpr bool by_f32 = !same_type && is_byte_float(type) && is_byte_float(result);
    constexpr bool converts = by_f32 || requires(source const& x) { static_cast<target>(x); };
    static_assert(converts,
                  "CUDA does not convert these elements: call axe::elementwise with a function "
                  "that converts one");
    using wide = stl::conditional_t<by_f32, float, source const&>;
    if constexpr (converts)
      elementwise([](source const& x) { return static_cast<target>(static_cast<wide>(x)); }, to,
                  from);
  }
}
template <bool Passed> struct cast_check {
  static_assert(
      Passed, "cast takes two fragments and no scope: axe::cast(x, y) converts x to the type of y");
  using rejected = void;
};
template <class From, class To>
using cast_result =
    stl::conditional_t<is_fragment<From> && is_fragment<To>, matches_result<To, From>,
                       stl::type_identity<cast_check<false>>>::type;
}  // namespace detail

/// Converts `from` to the type of `to`. Floats are rounded to nearest even; 8-bit floats saturate.
/// Floats that become integers are truncated, and must be in range. If a thread has a multiple of 4
/// registers, those that become 8-bit integers saturate instead.
template <class From, class To, class Result = detail::cast_result<From, To>>
__device__ __forceinline__ Result cast(From const& from, To& to) {
  if constexpr (detail::stl::is_same_v<Result, void>) detail::cast_registers(from, to);
  return Result();
}
template <class... T, class From, class... More>
  requires(detail::is_fragment<From> && sizeof...(More) != 1)
__device__ detail::cast_check<detail::never<From>> cast(From const&, More const&...) {
  return {};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
