// Computes approximate functions (PTX ISA: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh, div).
//
// Each is the host's function in double, rounded once to f32. The ISA allows larger errors: rcp and
// ex2 one or two ulp, sin and cos 2^-20.5 absolute on [-2 pi, 2 pi], lg2 2^-22, tanh 2^-11
// relative. The last bits differ from hardware's.
//
//     rcp(-0) = -inf, rsqrt(-1) = NaN, lg2(0) = -inf, ex2(-inf) = +0, sin(inf) = NaN
//     div.approx: a divisor above 2^126 gives 0 (ISA), or NaN if the dividend is infinite
#pragma once

#include <cmath>

#include "numerics/convert.hpp"

namespace machine::numerics {

namespace detail {
template <class Function> float approximated(float a, bool ftz, Function function) {
  float const result =
      canonical(static_cast<float>(function(static_cast<double>(ftz ? flush(a) : a))));
  return ftz ? flush(result) : result;
}
}  // namespace detail

inline float rcp_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return 1.0 / x; });
}
inline float sqrt_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return std::sqrt(x); });
}
inline float rsqrt_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return 1.0 / std::sqrt(x); });
}
inline float sin_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return std::sin(x); });
}
inline float cos_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return std::cos(x); });
}
inline float lg2_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return std::log2(x); });
}
inline float ex2_approx(float a, bool ftz = false) {
  return detail::approximated(a, ftz, [](double x) { return std::exp2(x); });
}
inline float tanh_approx(float a) {
  return detail::approximated(a, false, [](double x) { return std::tanh(x); });
}

inline float div_full(float a, float b, bool ftz = false) {
  if (ftz) {
    a = flush(a);
    b = flush(b);
  }
  float const quotient = canonical(a / b);
  return ftz ? flush(quotient) : quotient;
}

inline float div_approx(float a, float b, bool ftz = false) {
  constexpr float two_to_126 = 85070591730234615865843651857942052864.0f;
  float const magnitude = std::fabs(b);
  if (magnitude > two_to_126 && !std::isinf(magnitude) && !std::isnan(a)) {
    if (std::isinf(a)) return canonical(std::numeric_limits<float>::quiet_NaN());
    return std::signbit(a) == std::signbit(b) ? 0.0f : -0.0f;
  }
  return div_full(a, b, ftz);
}

/// Computes rsqrt.approx.f64 with the host's precision. The ISA promises about 20 bits.
inline double rsqrt_approx_f64(double a) { return 1.0 / std::sqrt(a); }

namespace detail {
/// Returns the upper word as a number. The .ftz forms of f64 read and write only this word, which
/// has 20 bits of mantissa. Subnormals become zeros of the same sign.
inline double upper_word(double value) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  if (value != value) return std::bit_cast<double>(0x7fffffff00000000u);
  if ((bits & 0x7ff0000000000000u) == 0) return std::bit_cast<double>(bits & 0x8000000000000000u);
  return std::bit_cast<double>(bits & 0xffffffff00000000u);
}
inline double rounded_upper_word(double value) {
  bool const finite = value - value == 0.0;
  return upper_word(
      finite ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + 0x80000000u) : value);
}
}  // namespace detail

inline double rcp_approx_f64(double a) {
  return detail::rounded_upper_word(1.0 / detail::upper_word(a));
}
inline double rsqrt_approx_ftz_f64(double a) {
  return detail::rounded_upper_word(1.0 / std::sqrt(detail::upper_word(a)));
}

}  // namespace machine::numerics
