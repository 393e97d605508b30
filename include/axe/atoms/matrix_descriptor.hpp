// SPDX-License-Identifier: MIT
// matrix_descriptor: wgmma's and tcgen05's 64-bit descriptor of an operand in shared memory.
// tcgen05_instruction: the 32-bit instruction descriptor of tcgen05.mma.
//
//     encode_descriptor({.start = 0x400, .stride = 1024, .mode = swizzle_mode::bytes_128})
//         0x4000004000010040
//
// start, leading (LBO) and stride (SBO) are in bytes. Source: PTX ISA, "Matrix-descriptor Format",
// "Shared memory descriptor" and "Instruction descriptor" of tcgen05.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/atoms/shared_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct matrix_descriptor {
  integer start = 0;     // address of element (0, 0) before the swizzle
  integer leading = 16;  // 16 if unused
  integer stride = 16;
  integer base_offset = 0;  // (start of the swizzle's pattern / 128) mod 8
  swizzle_mode mode = swizzle_mode::none;
  bool tcgen05 = false;  // false: wgmma

  constexpr bool operator==(matrix_descriptor const&) const = default;
};

namespace detail {

AXE_LAZY_FN constexpr bool fits_a_descriptor(integer bytes) {
  return bytes >= 0 && bytes < 1 << 18 && bytes % 16 == 0;
}

}  // namespace detail

/// start, leading and stride must be multiples of 16 below 2^18.
AXE_LAZY_FN constexpr outcome<detail::stl::uint64_t> try_encode_descriptor(
    matrix_descriptor const& d) {
  using namespace detail;
  using word = stl::uint64_t;
  if (!fits_a_descriptor(d.start)) return refusal{rule::descriptor_start, {d.start}};
  for (integer n : {d.leading, d.stride})
    if (!fits_a_descriptor(n)) return refusal{rule::wgmma_descriptor_bytes, {n}};
  if (d.base_offset < 0 || d.base_offset > 7)
    return refusal{rule::descriptor_base_offset, {d.base_offset}};
  if (refusal const bad = check_mode(d.mode)) return bad;
  // 1, 2, 3 for 128, 64, 32 bytes.
  int const ptx_mode =
      d.mode == swizzle_mode::none ? 0 : 4 - ceil_log2(static_cast<integer>(d.mode) / 16);
  return static_cast<word>(d.start >> 4) | static_cast<word>(d.leading >> 4) << 16 |
         static_cast<word>(d.stride >> 4) << 32 | word{d.tcgen05} << 46 |
         static_cast<word>(d.base_offset) << 49 | static_cast<word>(ptx_mode) << 62;
}
AXE_LAZY_FN constexpr detail::stl::uint64_t encode_descriptor(matrix_descriptor const& d) {
  return detail::stop_on(try_encode_descriptor(d), "encode_descriptor");
}

/// The type of scale factors. ue8m0: one per 32 elements along K, kind mxf8f6f4. ue4m3: one per 16
/// elements, kind mxf4nvf4, with K-major e2m1.
enum class tcgen05_scales : unsigned char { none, ue8m0, ue4m3 };

/// A dense tcgen05.mma of kind f16, tf32, f8f6f4 or i8, or one with scale factors.
struct tcgen05_instruction {
  element_type a = element_type::f16;
  element_type b = element_type::f16;
  element_type sum = element_type::f32;
  integer m = 128;  // rows of both CTAs if `ctas` is 2
  integer n = 8;
  bool a_mn_major = false;
  bool b_mn_major = false;
  int ctas = 1;  // 2: a CTA pair
  tcgen05_scales scales = tcgen05_scales::none;
  int a_byte = 0, b_byte = 0;  // PTX's scale factor data IDs
};

namespace detail {
AXE_LAZY_FN constexpr int tcgen05_format(element_type t) {
  using enum element_type;
  switch (t) {
    case f16:
    case e4m3:
    case u8: return 0;
    case bf16:
    case e5m2:
    case s8: return 1;
    case tf32: return 2;
    case e2m3: return 3;
    case e3m2: return 4;
    case e2m1: return 5;
    default: return -1;
  }
}
/// Kind 0: f16, 1: tf32, 2: f8f6f4, 3: i8.
AXE_LAZY_FN constexpr int tcgen05_kind(element_type t) {
  using enum element_type;
  switch (t) {
    case f16:
    case bf16: return 0;
    case tf32: return 1;
    case u8:
    case s8: return 3;
    default: return 2;
  }
}
AXE_LAZY_FN constexpr bool tcgen05_has_types(tcgen05_instruction const& i) {
  using enum element_type;
  int const kind = tcgen05_kind(i.a);
  if (tcgen05_format(i.a) < 0 || tcgen05_format(i.b) < 0 || kind != tcgen05_kind(i.b) ||
      (kind <= 1 && i.a != i.b))
    return false;
  if (i.scales == tcgen05_scales::ue4m3 &&
      (i.a != e2m1 || i.b != i.a || i.a_mn_major || i.b_mn_major))
    return false;
  if (i.scales != tcgen05_scales::none) return kind == 2 && i.sum == f32;
  switch (i.sum) {
    case s32: return kind == 3;
    case f32: return kind != 3;
    case f16: return kind == 2 || i.a == f16;
    default: return false;
  }
}

AXE_LAZY_FN constexpr bool tcgen05_has_shape(tcgen05_instruction const& i) {
  if (i.ctas != 1 && i.ctas != 2) return false;
  if (i.scales != tcgen05_scales::none)
    return i.m == 128 * i.ctas && i.n >= 8 && i.n <= 256 && i.n % (8 * i.ctas) == 0;
  bool const half = i.m == 64 * i.ctas;
  bool const by_8 = i.m == 64 && (i.sum != element_type::s32 || i.n <= 32);
  integer divisor = by_8 ? 8 : 16;
  if (i.ctas == 2) divisor = 32;
  return (half || i.m == 128 * i.ctas) && i.n >= 8 && i.n <= 256 && i.n % divisor == 0;
}

}  // namespace detail

/// Rejects types that no kind multiplies, and shapes that axe does not plan.
AXE_LAZY_FN constexpr outcome<detail::stl::uint32_t> try_encode_instruction(
    tcgen05_instruction const& i) {
  using namespace detail;
  if (!tcgen05_has_types(i))
    return refusal{rule::mma_types, {bits_of(i.a), bits_of(i.b), bits_of(i.sum)}};
  if (!tcgen05_has_shape(i)) return refusal{rule::tcgen05_shape, {i.m, i.n}};
  using word = stl::uint32_t;
  bool const nvfp4 = i.scales == tcgen05_scales::ue4m3;
  int const a = nvfp4 ? 1 : tcgen05_format(i.a), b = nvfp4 ? 1 : tcgen05_format(i.b);
  word const operands = static_cast<word>(a) << 7 | static_cast<word>(b) << 10 |
                        word{i.a_mn_major} << 15 | word{i.b_mn_major} << 16 |
                        static_cast<word>(i.n / 8) << 17;
  if (i.scales != tcgen05_scales::none)
    return static_cast<word>(i.b_byte & 3) << 4 | operands | word{!nvfp4} << 23 |
           static_cast<word>(i.m / 128) << 27 | static_cast<word>(i.a_byte & 3) << 29;
  word const sum = i.sum == element_type::f16 ? 0 : i.sum == element_type::f32 ? 1 : 2;
  return sum << 4 | operands | static_cast<word>(i.m / 16) << 24;
}
AXE_LAZY_FN constexpr detail::stl::uint32_t encode_instruction(tcgen05_instruction const& i) {
  return detail::stop_on(try_encode_instruction(i), "encode_instruction");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
