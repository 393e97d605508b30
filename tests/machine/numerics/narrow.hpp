// Arithmetic of f16 and bf16 on their bits, with one rounding (PTX ISA, "Half Precision Floating Point
// Instructions").
//
//     add, sub   in f32, then to the format: 24 bits >= 2 * 11 + 2, so the second rounding changes nothing
//     mul        exact in double, then to the format
//     fma        the product is exact in double, the sum is rounded to odd there (exactly.hpp says why)
//
//     fma.rn.f16 of 0x3c01 * 0x3800 + 0x0001, a tie but for the addend: 0x3801
//
// .ftz flushes subnormal operands and results, .sat clamps to [0, 1] with NaN to +0, .relu turns negatives
// into +0. NaN results are canonical, 0x7fff. neg and abs only touch the sign.
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
constexpr float widen(std::uint16_t bits) {
  if constexpr (F.mantissa_bits == 10)
    return f16_to_float(bits);
  else
    return bf16_to_float(bits);
}

/// .ftz on the bits of a narrow number.
template <format F> constexpr std::uint16_t flush(std::uint16_t bits, bool ftz) {
  return ftz && F.is_subnormal(bits) ? static_cast<std::uint16_t>(bits & F.sign_bit()) : bits;
}

namespace detail {

template <format F> std::uint16_t narrowed(double value, arithmetic_options how) {
  if (how.sat) value = saturate(value);
  auto const bits = static_cast<std::uint16_t>(encode<F>(value, rounding::rn, {.relu = how.relu}));
  return flush<F>(bits, how.ftz);
}

template <format F> float operand(std::uint16_t bits, arithmetic_options how) {
  return widen<F>(flush<F>(bits, how.ftz));
}

}  // namespace detail

template <format F> std::uint16_t add(std::uint16_t a, std::uint16_t b, arithmetic_options how = {}) {
  return detail::narrowed<F>(static_cast<double>(detail::operand<F>(a, how) + detail::operand<F>(b, how)),
                             how);
}
template <format F> std::uint16_t sub(std::uint16_t a, std::uint16_t b, arithmetic_options how = {}) {
  return detail::narrowed<F>(static_cast<double>(detail::operand<F>(a, how) - detail::operand<F>(b, how)),
                             how);
}
/// In double, because the product of two bf16 can leave the range of f32 at both ends.
template <format F> std::uint16_t mul(std::uint16_t a, std::uint16_t b, arithmetic_options how = {}) {
  double const product =
      static_cast<double>(detail::operand<F>(a, how)) * static_cast<double>(detail::operand<F>(b, how));
  return detail::narrowed<F>(product, how);
}
template <format F>
std::uint16_t fma(std::uint16_t a, std::uint16_t b, std::uint16_t c, arithmetic_options how = {}) {
  double const product =
      static_cast<double>(detail::operand<F>(a, how)) * static_cast<double>(detail::operand<F>(b, how));
  return detail::narrowed<F>(sum_to_odd(product, static_cast<double>(detail::operand<F>(c, how))), how);
}

template <format F> std::uint16_t neg(std::uint16_t a, bool ftz = false) {
  return static_cast<std::uint16_t>(flush<F>(a, ftz) ^ F.sign_bit());
}
template <format F> std::uint16_t abs(std::uint16_t a, bool ftz = false) {
  return static_cast<std::uint16_t>(flush<F>(a, ftz) & F.all_ones());
}

namespace detail {
template <format F>
std::uint16_t extreme_of(std::uint16_t a, std::uint16_t b, bool larger, min_max_options how) {
  float const result = extreme(widen<F>(flush<F>(a, how.ftz)), widen<F>(flush<F>(b, how.ftz)), larger, how);
  return static_cast<std::uint16_t>(encode<F>(static_cast<double>(result), rounding::rn));
}
}  // namespace detail

template <format F> std::uint16_t minimum(std::uint16_t a, std::uint16_t b, min_max_options how = {}) {
  return detail::extreme_of<F>(a, b, false, how);
}
template <format F> std::uint16_t maximum(std::uint16_t a, std::uint16_t b, min_max_options how = {}) {
  return detail::extreme_of<F>(a, b, true, how);
}

/// Correctly rounded but for the last places of a double: the ISA asks for 2^-9.9 relative (f16) and 2^-7
/// (bf16).
template <format F> std::uint16_t exp2_approx(std::uint16_t a, bool ftz = false) {
  return detail::narrowed<F>(std::exp2(static_cast<double>(widen<F>(flush<F>(a, ftz)))), {.ftz = ftz});
}
/// The ISA asks for 2^-10.987 absolute (f16) and 2^-8 (bf16).
template <format F> std::uint16_t tanh_approx(std::uint16_t a) {
  return detail::narrowed<F>(std::tanh(static_cast<double>(widen<F>(a))), {});
}

template <format F> bool compare(comparison operation, std::uint16_t a, std::uint16_t b, bool ftz = false) {
  return compare(operation, static_cast<double>(widen<F>(flush<F>(a, ftz))),
                 static_cast<double>(widen<F>(flush<F>(b, ftz))));
}

/// The packed form of a scalar operation: each_half([](auto x, auto y) { return add<f16>(x, y); }, a, b).
template <class Operation, class... Packed> std::uint32_t each_half(Operation operation, Packed... packed) {
  auto const low = operation(static_cast<std::uint16_t>(packed & 0xffffu)...);
  auto const high = operation(static_cast<std::uint16_t>(packed >> 16)...);
  return static_cast<std::uint32_t>(high) << 16 | static_cast<std::uint32_t>(low);
}

}  // namespace machine::numerics
