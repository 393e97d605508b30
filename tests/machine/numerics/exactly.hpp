// Sums rounded to odd: what makes double good enough for one correct rounding in a narrower format.
//
//     x + y = s + e exactly (Knuth's two-sum). If e != 0 and s is even, s steps one place to the side of e.
//     The result is the exact sum cut off, with its last bit set as a mark that something was lost.
//
// Rounding that to a format with at least two bits less than double gives what rounding the exact
// sum would, in each of the modes (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums: proved algorithms using rounding to odd"). Without it 1 + 2^-11 + 2^-80 becomes a tie in
// double, and f16 rounds it to 1, not 1 + 2^-10.
#pragma once

#include <bit>
#include <cstdint>

namespace machine::numerics {

/// Steps value one place to the side that the lost part lies on, if its last bit is even; NaN loses
/// nothing.
/// outwards: that side is away from zero.
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

/// A double to f32, odd: an f32 that rounds to 16 bits as the double does.
[[gnu::always_inline]] constexpr float narrow_to_odd(double value) {
  auto const narrow = static_cast<float>(value);
  double const lost = value - static_cast<double>(narrow);
  return step_to_odd<float, std::uint32_t>(narrow, lost > 0.0 || lost < 0.0,
                                           (lost > 0.0) == (value > 0.0));
}

/// x and y must be far from overflow: f32 values and their products are.
[[gnu::always_inline]] constexpr double sum_to_odd(double x, double y) {
  double const sum = x + y;
  double const y_part = sum - x;
  double const x_part = sum - y_part;
  return to_odd(sum, (x - x_part) + (y - y_part));
}

/// The sum of two f32 whose exponents are far from the ends: products of f16 are.
[[gnu::always_inline]] constexpr float sum_to_odd(float x, float y) {
  float const sum = x + y;
  float const y_part = sum - x;
  float const x_part = sum - y_part;
  float const lost = (x - x_part) + (y - y_part);
  return step_to_odd<float, std::uint32_t>(sum, lost > 0.0f || lost < 0.0f,
                                           (lost > 0.0f) == (sum > 0.0f));
}

/// a * b + c rounded once to f32: the product of two f32 is a double.
[[gnu::always_inline]] constexpr float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  return static_cast<float>(
      sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}

}  // namespace machine::numerics
