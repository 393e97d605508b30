// The floating-point formats of PTX, with decoding and encoding (PTX ISA, "Fundamental Types" and
// "Alternate Floating-Point Data Formats").
//
//     bits = sign | exponent (e bits) | mantissa (m bits),   bias = 2^(e-1) - 1
//     exponent > 0: (1 + mantissa / 2^m) * 2^(exponent - bias); 0: mantissa / 2^m * 2^(1 - bias)
//     e4m3: 0x7e = 1.75 * 2^8 = 448 is the largest; 0x7f is NaN; there is no infinity
//
// tf32 is stored as f32 with 13 bits cut off. ue8m0 is in scale.hpp.
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
  /// The NaN that arithmetic and cvt return: 0x7fff (f16, bf16), 0x7fffffff (f32), 0x7f (fp8).
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

/// 2^exponent, for exponents of normal doubles.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Decodes without rounding, because each number of each format is a double.
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

/// Modifiers of cvt: .satfinite clamps to the largest finite number, .relu turns negative values
/// into +0.
struct limits {
  bool satfinite = false;
  bool relu = false;
};

/// Returns the magnitude bits of significand * 2^exponent, rounded. A result above F.largest()
/// means overflow.
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
  std::uint64_t dropped = 1;  // for drop > 64: more than zero, and less than half of the last bit
  if (drop < 64) {
    kept = significand >> drop;
    dropped = significand << (64 - drop);
  } else if (drop == 64) {
    dropped = significand;
  }
  // The hidden bit of a normal number adds one to the exponent field, so the field is one less.
  std::uint64_t const field = normal ? static_cast<std::uint64_t>(top - F.smallest_exponent()) : 0;
  std::uint64_t const magnitude = (field << F.mantissa_bits) + kept;
  return magnitude + (raises(mode, negative, (kept & 1) != 0, dropped) ? 1 : 0);
}

/// Adds the sign, and applies `limits` to a magnitude from round_magnitude.
template <format F>
constexpr std::uint32_t finish(std::uint64_t magnitude, bool negative, rounding mode, limits how) {
  if (negative && how.relu) return 0;
  std::uint32_t const sign = negative ? F.sign_bit() : 0;
  if (magnitude <= F.largest()) return sign | static_cast<std::uint32_t>(magnitude);
  // cvt to formats without infinity always has .satfinite.
  if (how.satfinite || F.kind != specials::ieee || !overflows_to_infinity(mode, negative))
    return sign | F.largest();
  return sign | F.infinity();
}

/// Returns the encoding of NaN: the canonical NaN, or the largest number if the format has no NaN.
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
