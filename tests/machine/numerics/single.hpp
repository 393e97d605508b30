// f32 arithmetic in all rounding modes (PTX ISA, "Floating Point Instructions").
//
//     rn          the host's instruction
//     rz rm rp    in double: exact products, sums rounded to odd (exactly.hpp); then encode<f32>
//     add.rp 1 + 2^-60 = 1 + 2^-23        div.rz 2 / 3 = 0x3f2aaaaa, div.rn = 0x3f2aaaab
//
// Quotients and roots need only double: an inexact one is at least 2^-49 (relative) from every f32.
// .ftz flushes subnormals, .sat clamps to [0, 1] with NaN to +0; NaN results are 0x7fffffff.
#pragma once

#include <cmath>

#include "numerics/compare.hpp"
#include "numerics/convert.hpp"
#include "numerics/exactly.hpp"

namespace machine::numerics {

struct single_options {
  rounding mode = rounding::rn;
  bool ftz = false;
  bool sat = false;
};

namespace detail {

inline float operand(float value, single_options how) { return how.ftz ? flush(value) : value; }

inline float result(float value, single_options how) {
  value = canonical(value);
  if (how.ftz) value = flush(value);
  return how.sat ? saturate(value) : value;
}

/// Rounds to f32. `exact` is the exact result, or the exact result rounded to odd.
inline float rounded(double exact, single_options how) {
  return result(f64_to_f32(exact, how.mode), how);
}

/// Adds exactly, or rounded to odd. An exact zero sum of operands with opposite signs is -0 in rm
/// and +0 in the other modes.
inline double sum(double x, double y, single_options how) {
  double const total = sum_to_odd(x, y);
  return how.mode == rounding::rm && total == 0.0 && std::signbit(x) != std::signbit(y) ? -0.0
                                                                                        : total;
}

}  // namespace detail

inline float add(float a, float b, single_options how = {}) {
  a = detail::operand(a, how);
  b = detail::operand(b, how);
  if (how.mode == rounding::rn) return detail::result(a + b, how);
  return detail::rounded(detail::sum(static_cast<double>(a), static_cast<double>(b), how), how);
}

inline float sub(float a, float b, single_options how = {}) { return add(a, -b, how); }

inline float mul(float a, float b, single_options how = {}) {
  a = detail::operand(a, how);
  b = detail::operand(b, how);
  if (how.mode == rounding::rn) return detail::result(a * b, how);
  return detail::rounded(static_cast<double>(a) * static_cast<double>(b), how);
}

inline float fma(float a, float b, float c, single_options how = {}) {
  a = detail::operand(a, how);
  b = detail::operand(b, how);
  c = detail::operand(c, how);
  if (how.mode == rounding::rn) return detail::result(fused(a, b, c), how);
  return detail::rounded(
      detail::sum(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c), how),
      how);
}

inline float div(float a, float b, single_options how = {}) {
  a = detail::operand(a, how);
  b = detail::operand(b, how);
  if (how.mode == rounding::rn) return detail::result(a / b, how);
  return detail::rounded(static_cast<double>(a) / static_cast<double>(b), how);
}

inline float rcp(float a, single_options how = {}) { return div(1.0f, a, how); }

inline float sqrt(float a, single_options how = {}) {
  a = detail::operand(a, how);
  if (how.mode == rounding::rn) return detail::result(std::sqrt(a), how);
  return detail::rounded(std::sqrt(static_cast<double>(a)), how);
}

/// Computes neg.f32. neg and abs keep the payload of a NaN.
inline float neg(float a, bool ftz = false) {
  float const value = ftz ? flush(a) : a;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 0x80000000u);
}
inline float abs(float a, bool ftz = false) {
  float const value = ftz ? flush(a) : a;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
}

inline float minimum(float a, float b, min_max_options how = {}) {
  return canonical(extreme(how.ftz ? flush(a) : a, how.ftz ? flush(b) : b, false, how));
}
inline float maximum(float a, float b, min_max_options how = {}) {
  return canonical(extreme(how.ftz ? flush(a) : a, how.ftz ? flush(b) : b, true, how));
}

/// Computes copysign.f32 d, a, b: the sign of a with the magnitude of b.
inline float copysign_of(float a, float b) { return std::copysign(b, a); }

}  // namespace machine::numerics
