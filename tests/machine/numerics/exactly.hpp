// Rounding to odd, so that a result in double can be rounded again to a narrower format.
//
//     x + y = s + e exactly (Knuth's two-sum). If e != 0 and s is even, s moves one ulp towards e.
//
// Rounding s to a format at least two bits narrower than double gives the correctly rounded
// exact sum, in every mode (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums:
// proved algorithms using rounding to odd"). With rounding to nearest, 1 + 2^-11 + 2^-80 would
// become a tie in double, and f16 would round it to 1 instead of 1 + 2^-10.
#pragma once

#include <bit>
#include <cstdint>

namespace machine::numerics {

/// Moves an inexact value with an even last bit by one ulp, away from zero if `outwards`. A NaN
/// counts as exact.
template <class Float, class Bits>
constexpr Float step_to_odd(Float value, bool lossy, bool outwards) {
  auto const bits = std::bit_cast<Bits>(value);
  auto const step = static_cast<Bits>((lossy ? 1u : 0u) & ~static_cast<unsigned>(bits));
  return std::bit_cast<Float>(static_cast<Bits>(outwards ? bits + step : bits - step));
}

[[gnu::always_inline]] constexpr double to_odd(double value, double lost) {
  return step_to_odd<double, std::uint64_t>(value, lost > 0.0 || lost < 0.0,
                                            (lost > 0.0) == (value > 0.0));
}

/// Rounds a double to odd in f32, so that a second rounding to 16 bits is correct.
[[gnu::always_inline]] constexpr float narrow_to_odd(double value) {
  auto const narrow = static_cast<float>(value);
  double const lost = value - static_cast<double>(narrow);
  return step_to_odd<float, std::uint32_t>(narrow, lost > 0.0 || lost < 0.0,
                                           (lost > 0.0) == (value > 0.0));
}

/// Adds x and y, rounded to odd. Both must be far from overflow, as f32 values and their products
/// are.
[[gnu::always_inline]] constexpr double sum_to_odd(double x, double y) {
  double const sum = x + y;
  double const y_part = sum - x;
  double const x_part = sum - y_part;
  return to_odd(sum, (x - x_part) + (y - y_part));
}

/// Adds two f32, rounded to odd. Their exponents must be far from the limits, as those of products
/// of f16 are.
[[gnu::always_inline]] constexpr float sum_to_odd(float x, float y) {
  float const sum = x + y;
  float const y_part = sum - x;
  float const x_part = sum - y_part;
  float const lost = (x - x_part) + (y - y_part);
  return step_to_odd<float, std::uint32_t>(sum, lost > 0.0f || lost < 0.0f,
                                           (lost > 0.0f) == (sum > 0.0f));
}

/// Computes a * b + c, rounded once to f32. The product of two f32 is exact in double.
[[gnu::always_inline]] constexpr float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  return static_cast<float>(
      sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}

}  // namespace machine::numerics
