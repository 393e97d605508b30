// Computes with f16 and bf16 and rounds once (PTX ISA, "Half Precision Floating Point
// Instructions").
//
//     add, sub, mul   in f32, then rounded: 24 >= 2 * 11 + 2 bits make the second rounding harmless
//     fma             exact product (bf16: in double), sum rounded to odd (exactly.hpp)
//     fma.rn.bf16 of 0x3f81 * 0x3fc0 - 2^-100 = 0x3fc1, not 0x3fc2: the exact sum is below a tie
//
// .sat turns NaN into +0. NaN results are 0x7fff. Everything is inlined, so loops vectorise.
#pragma once

#include <cmath>

#include "numerics/compare.hpp"
#include "numerics/convert.hpp"
#include "numerics/exactly.hpp"
#include "numerics/halves.hpp"

namespace machine::numerics {

struct arithmetic_options {
  bool ftz = false;
  bool sat = false;
  bool relu = false;
};

template <format F>
  requires(F.width() == 16)
[[gnu::always_inline]] constexpr float widen(std::uint16_t bits) {
  if constexpr (F.mantissa_bits == 10)
    return f16_to_float(bits);
  else
    return bf16_to_float(bits);
}

/// Implements .ftz on the bits of a narrow number: a subnormal becomes zero.
template <format F>
[[gnu::always_inline]] inline constexpr std::uint16_t flush(std::uint16_t bits, bool ftz) {
  return ftz && F.is_subnormal(bits) ? static_cast<std::uint16_t>(bits & F.sign_bit()) : bits;
}

namespace detail {

/// Rounds a result that is exact or was rounded to odd.
template <format F>
[[gnu::always_inline]] inline std::uint16_t narrowed(float value, arithmetic_options how) {
  if (how.sat) value = saturate(value);
  std::uint16_t bits = F.mantissa_bits == 10 ? float_to_f16(value) : float_to_bf16(value);
  if (how.relu) bits = (bits & F.sign_bit()) != 0 ? std::uint16_t{0} : bits;
  return flush<F>(bits, how.ftz);
}

template <format F>
[[gnu::always_inline]] inline float operand(std::uint16_t bits, arithmetic_options how) {
  return widen<F>(flush<F>(bits, how.ftz));
}

}  // namespace detail

template <format F>
[[gnu::always_inline]] inline std::uint16_t add(std::uint16_t a, std::uint16_t b,
                                                arithmetic_options how = {}) {
  return detail::narrowed<F>(detail::operand<F>(a, how) + detail::operand<F>(b, how), how);
}
template <format F>
[[gnu::always_inline]] inline std::uint16_t sub(std::uint16_t a, std::uint16_t b,
                                                arithmetic_options how = {}) {
  return detail::narrowed<F>(detail::operand<F>(a, how) - detail::operand<F>(b, how), how);
}
template <format F>
[[gnu::always_inline]] inline std::uint16_t mul(std::uint16_t a, std::uint16_t b,
                                                arithmetic_options how = {}) {
  return detail::narrowed<F>(detail::operand<F>(a, how) * detail::operand<F>(b, how), how);
}
template <format F>
[[gnu::always_inline]] inline std::uint16_t fma(std::uint16_t a, std::uint16_t b, std::uint16_t c,
                                                arithmetic_options how = {}) {
  float const x = detail::operand<F>(a, how);
  float const y = detail::operand<F>(b, how);
  float const z = detail::operand<F>(c, how);
  if constexpr (F.mantissa_bits == 10) {
    return detail::narrowed<F>(sum_to_odd(x * y, z), how);
  } else {
    // The product of two bf16 can overflow or underflow f32.
    double const product = static_cast<double>(x) * static_cast<double>(y);
    return detail::narrowed<F>(narrow_to_odd(sum_to_odd(product, static_cast<double>(z))), how);
  }
}

template <format F> std::uint16_t neg(std::uint16_t a, bool ftz = false) {
  return static_cast<std::uint16_t>(flush<F>(a, ftz) ^ F.sign_bit());
}
template <format F> std::uint16_t abs(std::uint16_t a, bool ftz = false) {
  return static_cast<std::uint16_t>(flush<F>(a, ftz) & F.all_ones());
}

namespace detail {
template <format F>
[[gnu::always_inline]] inline std::uint16_t extreme_of(std::uint16_t a, std::uint16_t b,
                                                       bool larger, min_max_options how) {
  constexpr auto infinity = static_cast<std::uint16_t>(F.infinity());
  auto const bits = extreme_bits<std::uint16_t>(flush<F>(a, how.ftz), flush<F>(b, how.ftz),
                                                infinity, larger, how);
  return F.is_nan(bits) ? static_cast<std::uint16_t>(F.canonical_nan()) : bits;
}
}  // namespace detail

template <format F>
std::uint16_t minimum(std::uint16_t a, std::uint16_t b, min_max_options how = {}) {
  return detail::extreme_of<F>(a, b, false, how);
}
template <format F>
std::uint16_t maximum(std::uint16_t a, std::uint16_t b, min_max_options how = {}) {
  return detail::extreme_of<F>(a, b, true, how);
}

/// Computes in double. The ISA allows a relative error of 2^-9.9 (f16) and 2^-7 (bf16).
template <format F> std::uint16_t exp2_approx(std::uint16_t a, bool ftz = false) {
  return detail::narrowed<F>(
      narrow_to_odd(std::exp2(static_cast<double>(widen<F>(flush<F>(a, ftz))))), {.ftz = ftz});
}
/// Computes in double. The ISA allows an absolute error of 2^-10.987 (f16) and 2^-8 (bf16).
template <format F> std::uint16_t tanh_approx(std::uint16_t a) {
  return detail::narrowed<F>(narrow_to_odd(std::tanh(static_cast<double>(widen<F>(a)))), {});
}

template <format F>
bool compare(comparison operation, std::uint16_t a, std::uint16_t b, bool ftz = false) {
  return compare(operation, static_cast<double>(widen<F>(flush<F>(a, ftz))),
                 static_cast<double>(widen<F>(flush<F>(b, ftz))));
}

/// Applies a scalar operation to both halves: each_half([](auto x, auto y) { ... }, a, b).
template <class Operation, class... Packed>
std::uint32_t each_half(Operation operation, Packed... packed) {
  auto const low = operation(static_cast<std::uint16_t>(packed & 0xffffu)...);
  auto const high = operation(static_cast<std::uint16_t>(packed >> 16)...);
  return static_cast<std::uint32_t>(high) << 16 | static_cast<std::uint32_t>(low);
}

}  // namespace machine::numerics
