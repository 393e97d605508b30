// SPDX-License-Identifier: MIT
// element_type: the type of an element, under PTX's name.
//
//     bits_of(element_type::bf16) == 16        element_of<__nv_bfloat16> == element_type::bf16
//
// Source: PTX ISA, "Alternate Floating-Point Data Formats".
#pragma once

#include <axe/atoms/target.hpp>

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace axe {
inline namespace AXE_NAMESPACE {

enum class element_type : unsigned char {
  b1,
  u4,
  s4,
  e2m1,
  e2m3,
  e3m2,
  u8,
  s8,
  e4m3,
  e5m2,
  u16,
  s16,
  f16,
  bf16,
  u32,
  s32,
  f32,
  tf32,
  u64,
  s64,
  f64,
  b128,
  count
};

AXE_LAZY_FN constexpr char const* name_of(element_type t) {
  return detail::name_at(
      t, {"b1",  "u4",  "s4",   "e2m1", "e2m3", "e3m2", "u8",   "s8",  "e4m3", "e5m2", "u16",
          "s16", "f16", "bf16", "u32",  "s32",  "f32",  "tf32", "u64", "s64",  "f64",  "b128"});
}

/// Bits in memory: 8 for e2m3 and e3m2, as mma.sync reads them.
AXE_LAZY_FN constexpr int bits_of(element_type t) {
  constexpr unsigned char bits[] = {1,  4,  4,  4,  8,  8,  8,  8,  8,  8,  16,
                                    16, 16, 16, 32, 32, 32, 32, 64, 64, 64, 128};
  return bits[static_cast<int>(t)];
}

namespace detail {
template <class T> inline constexpr element_type element_type_of = element_type::count;
template <> inline constexpr element_type element_type_of<signed char> = element_type::s8;
template <> inline constexpr element_type element_type_of<unsigned char> = element_type::u8;
template <> inline constexpr element_type element_type_of<short> = element_type::s16;
template <> inline constexpr element_type element_type_of<unsigned short> = element_type::u16;
template <> inline constexpr element_type element_type_of<int> = element_type::s32;
template <> inline constexpr element_type element_type_of<unsigned> = element_type::u32;
template <> inline constexpr element_type element_type_of<long long> = element_type::s64;
template <> inline constexpr element_type element_type_of<unsigned long long> = element_type::u64;
template <> inline constexpr element_type element_type_of<float> = element_type::f32;
template <> inline constexpr element_type element_type_of<double> = element_type::f64;
template <> inline constexpr element_type element_type_of<::__half> = element_type::f16;
template <> inline constexpr element_type element_type_of<::__nv_bfloat16> = element_type::bf16;
template <> inline constexpr element_type element_type_of<::__nv_fp8_e4m3> = element_type::e4m3;
template <> inline constexpr element_type element_type_of<::__nv_fp8_e5m2> = element_type::e5m2;

template <class T>
inline constexpr bool is_half =
    element_type_of<T> == element_type::f16 || element_type_of<T> == element_type::bf16;
}  // namespace detail

/// For other types, specialise detail::element_type_of.
template <class T>
  requires(detail::element_type_of<T> != element_type::count)
inline constexpr element_type element_of = detail::element_type_of<T>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
