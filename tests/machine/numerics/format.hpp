// The floating-point formats of PTX as data (PTX ISA, "Fundamental Types" and "Alternate
// Floating-Point Data Formats"), and the two functions between their bits and numbers.
//
//     bits = sign | exponent (e bits) | mantissa (m bits),   bias = 2^(e-1) - 1
//     exponent > 0:  (1 + mantissa / 2^m) * 2^(exponent - bias)
//     exponent = 0:  mantissa / 2^m * 2^(1 - bias)
//
//     e4m3: 0x7e = 1.75 * 2^8 = 448, the largest; 0x7f is NaN, and there is no infinity
//     e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives: every encoding is a number
//
// ue8m0 (a power of two without sign) has its own file; tf32 is a format of 19 bits that a register
// of 32 holds in its upper bits: here it has the layout of f32 with 13 bits cut off.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "numerics/rounding.hpp"

namespace machine::numerics {

enum class specials : std::uint8_t {
  ieee,     // the largest exponent holds infinity and NaN
  one_nan,  // only the all-ones encoding is NaN; no infinity
  none      // every encoding is a finite number
};

struct format {
  int exponent_bits;
  int mantissa_bits;
  specials kind;

  constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int smallest_exponent() const { return 1 - bias(); }
  constexpr std::uint32_t sign_bit() const { return std::uint32_t{1} << (width() - 1); }
  constexpr std::uint32_t all_ones() const { return sign_bit() - 1; }
  constexpr std::uint32_t infinity() const {
    return all_ones() - ((std::uint32_t{1} << mantissa_bits) - 1);
  }
  constexpr std::uint32_t largest() const {
    return kind == specials::ieee      ? infinity() - 1
           : kind == specials::one_nan ? all_ones() - 1
                                       : all_ones();
  }
  constexpr bool has_nan() const { return kind != specials::none; }
  /// What arithmetic and cvt return for NaN: 0x7fff for f16 and bf16, 0x7fffffff for f32, 0x7f for
  /// fp8.
  constexpr std::uint32_t canonical_nan() const { return all_ones(); }
  constexpr bool is_nan(std::uint32_t bits) const {
    std::uint32_t const magnitude = bits & all_ones();
    return kind == specials::ieee ? magnitude > infinity()
                                  : kind == specials::one_nan && magnitude == all_ones();
  }
  constexpr bool is_subnormal(std::uint32_t bits) const {
    std::uint32_t const magnitude = bits & all_ones();
    return magnitude != 0 && (magnitude >> mantissa_bits) == 0;
  }
};

inline constexpr format f16{5, 10, specials::ieee};
inline constexpr format bf16{8, 7, specials::ieee};
inline constexpr format tf32{8, 10, specials::ieee};
inline constexpr format f32{8, 23, specials::ieee};
inline constexpr format e5m2{5, 2, specials::ieee};
inline constexpr format e4m3{4, 3, specials::one_nan};
inline constexpr format e3m2{3, 2, specials::none};
inline constexpr format e2m3{2, 3, specials::none};
inline constexpr format e2m1{2, 1, specials::none};

/// 2^exponent for the exponents of a normal double.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Exact: each number of each format is a double.
template <format F> constexpr double decode(std::uint32_t bits) {
  std::uint32_t const magnitude = bits & F.all_ones();
  double value = 0;
  if (F.is_nan(bits)) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (F.kind == specials::ieee && magnitude == F.infinity()) {
    value = std::numeric_limits<double>::infinity();
  } else {
    int const exponent = static_cast<int>(magnitude >> F.mantissa_bits);
    std::uint32_t const mantissa = magnitude & ((std::uint32_t{1} << F.mantissa_bits) - 1);
    std::uint32_t const significand =
        exponent == 0 ? mantissa : mantissa | (std::uint32_t{1} << F.mantissa_bits);
    int const scale = (exponent == 0 ? 1 : exponent) - F.bias() - F.mantissa_bits;
    value = static_cast<double>(significand) * power_of_two(scale);
  }
  return (bits & F.sign_bit()) != 0 ? -value : value;
}

/// Modifiers of cvt: .satfinite turns what is too large into the largest finite number, .relu
/// negatives into +0.
struct limits {
  bool satfinite = false;
  bool relu = false;
};

/// The magnitude bits of significand * 2^exponent, rounded; may exceed F.largest(), which means
/// overflow.
template <format F>
constexpr std::uint64_t round_magnitude(std::uint64_t significand, int exponent, bool negative,
                                        rounding mode) {
  if (significand == 0) return 0;
  int const zeros = std::countl_zero(significand);
  significand <<= zeros;
  int const top = exponent - zeros + 63;  // the value is in [2^top, 2^(top+1))
  bool const normal = top >= F.smallest_exponent();
  int const drop = 63 - F.mantissa_bits + (normal ? 0 : F.smallest_exponent() - top);
  std::uint64_t kept = 0;
  std::uint64_t dropped = 1;  // beyond 64 bits: something, and less than half
  if (drop < 64) {
    kept = significand >> drop;
    dropped = significand << (64 - drop);
  } else if (drop == 64) {
    dropped = significand;
  }
  // A normal number's hidden bit counts one exponent step, so the exponent field is added less one.
  std::uint64_t const field = normal ? static_cast<std::uint64_t>(top - F.smallest_exponent()) : 0;
  std::uint64_t const magnitude = (field << F.mantissa_bits) + kept;
  return magnitude + (raises(mode, negative, (kept & 1) != 0, dropped) ? 1 : 0);
}

/// Sign and limits around a magnitude that round_magnitude returned.
template <format F>
constexpr std::uint32_t finish(std::uint64_t magnitude, bool negative, rounding mode, limits how) {
  if (negative && how.relu) return 0;
  std::uint32_t const sign = negative ? F.sign_bit() : 0;
  if (magnitude <= F.largest()) return sign | static_cast<std::uint32_t>(magnitude);
  // Formats without infinity are only ever written with .satfinite.
  if (how.satfinite || F.kind != specials::ieee || !overflows_to_infinity(mode, negative))
    return sign | F.largest();
  return sign | F.infinity();
}

/// What cvt writes for NaN: the canonical NaN, or the largest number where the format has none.
template <format F> constexpr std::uint32_t encoded_nan() {
  return F.has_nan() ? F.canonical_nan() : F.largest();
}

template <format F> constexpr std::uint32_t encode(double value, rounding mode, limits how = {}) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  bool const negative = (bits >> 63) != 0;
  int const field = static_cast<int>((bits >> 52) & 0x7ff);
  std::uint64_t const mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (field == 0x7ff) {
    if (mantissa != 0) return encoded_nan<F>();
    if (negative && how.relu) return 0;
    bool const infinite = F.kind == specials::ieee && !how.satfinite;
    return (negative ? F.sign_bit() : 0) | (infinite ? F.infinity() : F.largest());
  }
  std::uint64_t const significand = field == 0 ? mantissa : mantissa | (std::uint64_t{1} << 52);
  int const exponent = (field == 0 ? 1 : field) - 1023 - 52;
  return finish<F>(round_magnitude<F>(significand, exponent, negative, mode), negative, mode, how);
}

}  // namespace machine::numerics
