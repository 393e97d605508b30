// SPDX-License-Identifier: MIT
// matrix_descriptor: the 64-bit descriptor of an operand in shared memory for wgmma and tcgen05.
// tcgen05_instruction: the 32-bit instruction descriptor of tcgen05.mma.
//
//     encode_descriptor({.start = 0x400, .stride = 1024, .mode = swizzle_mode::bytes_128})
//
// start, leading and stride are in bytes (atoms/shared_operand.hpp). Source: PTX ISA,
// "Matrix-descriptor Format", "Shared memory descriptor" and "Instruction descriptor" of tcgen05.
// Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/atoms/shared_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct matrix_descriptor {
  integer start = 0;     // of element (0, 0) before the swizzle
  integer leading = 16;  // 16: not used
  integer stride = 16;
  integer base_offset = 0;  // (start of the swizzle's pattern / 128) mod 8
  swizzle_mode mode = swizzle_mode::none;

  AXE_FN friend constexpr bool operator==(matrix_descriptor const&,
                                          matrix_descriptor const&) = default;
};

namespace detail {

AXE_LAZY_FN constexpr bool fits_a_descriptor(integer bytes) {
  return bytes >= 0 && bytes < 1 << 18 && bytes % 16 == 0;
}

AXE_LAZY_FN constexpr refusal check_descriptor(matrix_descriptor const& d) {
  if (!fits_a_descriptor(d.start)) return {rule::descriptor_start, {d.start}};
  for (integer n : {d.leading, d.stride})
    if (!fits_a_descriptor(n)) return {rule::wgmma_descriptor_bytes, {n}};
  if (d.base_offset < 0 || d.base_offset > 7)
    return {rule::descriptor_base_offset, {d.base_offset}};
  return check_mode(d.mode);
}

/// The bits of the mode: 1, 2, 3 for 128, 64, 32 bytes.
AXE_LAZY_FN constexpr stl::uint64_t mode_bits(swizzle_mode mode) {
  return mode == swizzle_mode::none
             ? 0
             : static_cast<stl::uint64_t>(4 - log2_of(static_cast<integer>(mode) / 16));
}

AXE_LAZY_FN constexpr stl::uint64_t descriptor_bits(matrix_descriptor const& d) {
  return static_cast<stl::uint64_t>(d.start >> 4) |
         static_cast<stl::uint64_t>(d.leading >> 4) << 16 |
         static_cast<stl::uint64_t>(d.stride >> 4) << 32 |
         static_cast<stl::uint64_t>(d.base_offset) << 49 | mode_bits(d.mode) << 62;
}

}  // namespace detail

/// The descriptor of wgmma. start, leading and stride are multiples of 16 below 2^18.
AXE_LAZY_FN constexpr outcome<detail::stl::uint64_t> try_encode_descriptor(
    matrix_descriptor const& d) {
  if (refusal const bad = detail::check_descriptor(d)) return bad;
  return detail::descriptor_bits(d);
}
AXE_LAZY_FN constexpr detail::stl::uint64_t encode_descriptor(matrix_descriptor const& d) {
  outcome<detail::stl::uint64_t> const result = try_encode_descriptor(d);
  if (!result) detail::stop_on(result.why, "encode_descriptor", {});
  return result.value;
}

/// The fields of a descriptor of wgmma; other bits are ignored.
AXE_LAZY_FN constexpr matrix_descriptor decode_descriptor(detail::stl::uint64_t bits) {
  constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::bytes_128,
                                    swizzle_mode::bytes_64, swizzle_mode::bytes_32};
  auto const field = [bits](int low) { return static_cast<integer>(bits >> low & 0x3fff) * 16; };
  return {field(0), field(16), field(32), static_cast<integer>(bits >> 49 & 7), modes[bits >> 62]};
}

/// The descriptor of tcgen05.mma and tcgen05.cp.
AXE_LAZY_FN constexpr outcome<detail::stl::uint64_t> try_encode_tcgen05_descriptor(
    matrix_descriptor const& d) {
  if (refusal const bad = detail::check_descriptor(d)) return bad;
  return detail::descriptor_bits(d) | detail::stl::uint64_t{1} << 46;
}
AXE_LAZY_FN constexpr detail::stl::uint64_t encode_tcgen05_descriptor(matrix_descriptor const& d) {
  outcome<detail::stl::uint64_t> const result = try_encode_tcgen05_descriptor(d);
  if (!result) detail::stop_on(result.why, "encode_tcgen05_descriptor", {});
  return result.value;
}

/// A dense tcgen05.mma of kind f16, tf32, f8f6f4 or i8: D (m, n) += A * B. mn_major: adjacent along
/// M or N. With ctas = 2, m and n count both CTAs of a pair.
struct tcgen05_instruction {
  element_type a = element_type::f16;
  element_type b = element_type::f16;
  element_type sum = element_type::f32;
  integer m = 128;
  integer n = 8;
  bool a_mn_major = false;
  bool b_mn_major = false;
  int ctas = 1;
};

namespace detail {
/// The code of an operand's type within its kind, or -1.
AXE_LAZY_FN constexpr int tcgen05_format(element_type t) {
  switch (t) {
    case element_type::f16:
    case element_type::e4m3:
    case element_type::u8: return 0;
    case element_type::bf16:
    case element_type::e5m2:
    case element_type::s8: return 1;
    case element_type::tf32: return 2;
    case element_type::e2m3: return 3;
    case element_type::e3m2: return 4;
    case element_type::e2m1: return 5;
    default: return -1;
  }
}
/// The kind: 0 for f16 and bf16, 1 for tf32, 2 for f8f6f4, 3 for i8.
AXE_LAZY_FN constexpr int tcgen05_kind(element_type t) {
  switch (t) {
    case element_type::f16:
    case element_type::bf16: return 0;
    case element_type::tf32: return 1;
    case element_type::u8:
    case element_type::s8: return 3;
    default: return 2;
  }
}
AXE_LAZY_FN constexpr bool tcgen05_sums(element_type a, element_type sum) {
  int const kind = tcgen05_kind(a);
  switch (sum) {
    case element_type::s32: return kind == 3;
    case element_type::f32: return kind != 3;
    case element_type::f16: return kind == 2 || a == element_type::f16;
    default: return false;
  }
}

/// n is a multiple of 8 or 16, for a pair of 32. Sums of integers have fewer n.
AXE_LAZY_FN constexpr bool tcgen05_has_shape(tcgen05_instruction const& i) {
  bool const fewer = i.sum == element_type::s32 && i.n > 32;
  integer const by = i.ctas == 2 ? 32 : i.m == 64 && !fewer ? 8 : 16;
  bool const rows = i.ctas == 2 ? i.m == 128 || i.m == 256 : i.m == 64 || i.m == 128;
  return rows && i.n >= 8 && i.n <= 256 && i.n % by == 0;
}
/// The fields of all kinds; a and b are codes of types.
template <class Instruction>
AXE_FN constexpr stl::uint32_t tcgen05_operand_bits(Instruction const& i, int a, int b) {
  using word = stl::uint32_t;
  return static_cast<word>(a) << 7 | static_cast<word>(b) << 10 | word{i.a_mn_major} << 15 |
         word{i.b_mn_major} << 16 | static_cast<word>(i.n / 8) << 17;
}
}  // namespace detail

/// The instruction descriptor: bits 5-4 the sum's type, 9-7 A's, 12-10 B's, 15 and 16 their
/// directions, 22-17 n / 8, 28-24 m / 16.
AXE_LAZY_FN constexpr outcome<detail::stl::uint32_t> try_encode_instruction(
    tcgen05_instruction const& i) {
  int const a = detail::tcgen05_format(i.a), b = detail::tcgen05_format(i.b);
  if (a < 0 || b < 0 || detail::tcgen05_kind(i.a) != detail::tcgen05_kind(i.b) ||
      (detail::tcgen05_kind(i.a) <= 1 && i.a != i.b) || !detail::tcgen05_sums(i.a, i.sum))
    return refusal{rule::mma_types, {bits_of(i.a), bits_of(i.b), bits_of(i.sum)}};
  if (!detail::tcgen05_has_shape(i)) return refusal{rule::tcgen05_shape, {i.m, i.n}};
  using word = detail::stl::uint32_t;
  word const sum = i.sum == element_type::f16 ? 0 : i.sum == element_type::f32 ? 1 : 2;
  return sum << 4 | detail::tcgen05_operand_bits(i, a, b) | static_cast<word>(i.m / 16) << 24;
}
AXE_LAZY_FN constexpr detail::stl::uint32_t encode_instruction(tcgen05_instruction const& i) {
  outcome<detail::stl::uint32_t> const result = try_encode_instruction(i);
  if (!result) detail::stop_on(result.why, "encode_instruction", {});
  return result.value;
}

/// A tcgen05.mma of kind mxf8f6f4: 32 elements of K share a scale of type UE8M0, byte a_byte or
/// b_byte of its column. nvfp4: kind mxf4nvf4, K-major e2m1; 16 elements share a scale of type
/// UE4M3.
struct tcgen05_scaled_instruction {
  element_type a = element_type::e4m3;
  element_type b = element_type::e4m3;
  integer m = 128;
  integer n = 8;
  bool a_mn_major = false;
  bool b_mn_major = false;
  int ctas = 1;
  int a_byte = 0, b_byte = 0;
  bool nvfp4 = false;
};

/// The instruction descriptor: bits 5-4 and 30-29 the bytes of B's and A's scales, 9-7 A's type,
/// 12-10 B's, 15 and 16 their directions, 22-17 n / 8, 23 for UE8M0, 28-27 m / 128.
AXE_LAZY_FN constexpr outcome<detail::stl::uint32_t> try_encode_scaled_instruction(
    tcgen05_scaled_instruction const& i) {
  constexpr element_type four = element_type::e2m1;
  int const a = i.nvfp4 ? 1 : detail::tcgen05_format(i.a);
  int const b = i.nvfp4 ? 1 : detail::tcgen05_format(i.b);
  bool const nvfp4 = i.a == four && i.b == four && !i.a_mn_major && !i.b_mn_major;
  if (a < 0 || b < 0 || detail::tcgen05_kind(i.a) != 2 || detail::tcgen05_kind(i.b) != 2 ||
      (i.nvfp4 && !nvfp4))
    return refusal{rule::mma_types, {bits_of(i.a), bits_of(i.b), 32}};
  if (i.m != 128 * i.ctas ||
      !detail::tcgen05_has_shape({i.a, i.b, element_type::f32, i.m, i.n, false, false, i.ctas}))
    return refusal{rule::tcgen05_shape, {i.m, i.n}};
  using word = detail::stl::uint32_t;
  return static_cast<word>(i.b_byte & 3) << 4 | detail::tcgen05_operand_bits(i, a, b) |
         word{!i.nvfp4} << 23 | static_cast<word>(i.m / 128) << 27 |
         static_cast<word>(i.a_byte & 3) << 29;
}
AXE_LAZY_FN constexpr detail::stl::uint32_t encode_scaled_instruction(
    tcgen05_scaled_instruction const& i) {
  outcome<detail::stl::uint32_t> const result = try_encode_scaled_instruction(i);
  if (!result) detail::stop_on(result.why, "encode_scaled_instruction", {});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
