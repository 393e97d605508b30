// cvt: conversions between numbers (PTX ISA, "cvt").
//
//     float -> float     encode<F>(value, mode, limits) (format.hpp); a is the upper half of a pair
//     float -> integer   round to an integer, then clamp to the range. NaN becomes 0, or
//                        1 << (width - 1) if the source is f64 or the destination has 64 bits
//     integer -> float   one rounding of the exact integer
//
//     cvt.rzi.u8.f32: 300.7 -> 255, -3.0 -> 0   cvt.rn.satfinite.e4m3x2.f32 {a, b}: a in bits 8-15
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "numerics/exactly.hpp"
#include "numerics/format.hpp"
#include "numerics/halves.hpp"

namespace machine::numerics {

/// Implements .ftz: a subnormal f32 becomes zero of the same sign.
constexpr float flush(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
}

/// Implements .sat: clamps to [0, 1], and NaN becomes +0.
constexpr float saturate(float value) {
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}
constexpr double saturate(double value) { return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0; }

constexpr float canonical(float value) {
  return value != value ? std::bit_cast<float>(0x7fffffffu) : value;
}

/// Implements cvt.rni.f32.f32 and similar: rounds to an integer in the same format and keeps the
/// sign of zero.
inline double round_to_integral(double value, rounding mode) {
  switch (mode) {
    // The host's default mode is nearest even.
    case rounding::rn: return std::nearbyint(value);
    case rounding::rna: return std::round(value);
    case rounding::rz: return std::trunc(value);
    case rounding::rm: return std::floor(value);
    case rounding::rp: return std::ceil(value);
  }
  return value;
}

template <std::integral I> I float_to_integer(double value, rounding mode, bool from_f64) {
  constexpr int width = static_cast<int>(sizeof(I)) * 8;
  if (value != value) {
    if (!from_f64 && width < 64) return 0;
    return static_cast<I>(std::uint64_t{1} << (width - 1));
  }
  double const whole = round_to_integral(value, mode);
  // Clamps at 2^width or 2^(width-1), because that is a double; the largest value of the type may
  // not be one.
  constexpr bool is_signed = std::signed_integral<I>;
  constexpr double end = is_signed ? power_of_two(width - 1) : power_of_two(width);
  constexpr double begin = is_signed ? -end : 0.0;
  if (whole >= end) return std::numeric_limits<I>::max();
  if (whole <= begin) return std::numeric_limits<I>::min();
  return static_cast<I>(whole);
}

template <format F, std::integral I>
constexpr std::uint32_t integer_to_float(I value, rounding mode) {
  bool const negative = std::signed_integral<I> && value < 0;
  auto const bits = static_cast<std::uint64_t>(value);
  std::uint64_t const magnitude = negative ? 0 - bits : bits;
  return finish<F>(round_magnitude<F>(magnitude, 0, negative, mode), negative, mode, {});
}

template <std::integral I> constexpr double integer_to_f64(I value, rounding mode) {
  bool const negative = std::signed_integral<I> && value < 0;
  auto const bits = static_cast<std::uint64_t>(value);
  std::uint64_t magnitude = negative ? 0 - bits : bits;
  if (int const drop = 11 - std::countl_zero(magnitude); magnitude != 0 && drop > 0) {
    std::uint64_t const kept = magnitude >> drop;
    bool const up = raises(mode, negative, (kept & 1) != 0, magnitude << (64 - drop));
    magnitude = (kept + (up ? 1 : 0)) << drop;
    if (magnitude == 0)
      return negative ? -power_of_two(64) : power_of_two(64);  // 2^64 does not fit
  }
  auto const value_of = static_cast<double>(magnitude);
  return negative ? -value_of : value_of;
}

inline float f64_to_f32(double value, rounding mode) {
  return std::bit_cast<float>(encode<f32>(value, mode));
}

/// Returns tf32 in the upper 19 bits of a register. The ISA leaves the other bits open; they are
/// zero here (ones for NaN).
inline std::uint32_t float_to_tf32(float value, rounding mode, limits how = {}) {
  std::uint32_t const bits = encode<tf32>(static_cast<double>(value), mode, how);
  return tf32.is_nan(bits) ? f32.canonical_nan() : bits << 13;
}

/// Returns the bits from element to element of a packed register: 16 for f16x2, 8 for e4m3x2 and
/// 6-bit types, 4 for e2m1x2.
template <format F> constexpr int packed_stride() {
  return F.width() <= 4 ? 4 : F.width() <= 8 ? 8 : 16;
}

/// Computes encode<F>(value, rn, how) of f16 and bf16 in a form that vectorises.
template <format F>
[[gnu::always_inline]] inline std::uint32_t encode_half(double value, limits how = {}) {
  float const odd = narrow_to_odd(value);
  std::uint32_t bits = F.mantissa_bits == 10 ? float_to_f16(odd) : float_to_bf16(odd);
  if (how.satfinite) bits = (bits & F.all_ones()) == F.infinity() ? bits - 1 : bits;
  if (how.relu) bits = (bits & F.sign_bit()) != 0 ? 0 : bits;
  return bits;
}

/// Implements cvt to a packed pair: a goes to the upper element, b to the lower one.
template <format F>
[[gnu::always_inline]] inline std::uint32_t pack2(double a, double b, rounding mode,
                                                  limits how = {}) {
  if constexpr (F.width() == 16)
    if (mode == rounding::rn) return encode_half<F>(a, how) << 16 | encode_half<F>(b, how);
  return encode<F>(a, mode, how) << packed_stride<F>() | encode<F>(b, mode, how);
}

template <format F> double unpack(std::uint32_t packed, int index) {
  constexpr int stride = packed_stride<F>();
  return decode<F>((packed >> (index * stride)) & ((1u << stride) - 1u) &
                   (F.all_ones() | F.sign_bit()));
}

/// Implements cvt between packed pairs, e4m3x2 -> f16x2 or f16x2 -> e5m2x2.
template <format To, format From>
std::uint32_t convert2(std::uint32_t packed, rounding mode, limits how = {}) {
  return pack2<To>(unpack<From>(packed, 1), unpack<From>(packed, 0), mode, how);
}

}  // namespace machine::numerics
