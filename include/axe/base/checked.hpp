// SPDX-License-Identifier: MIT
// 64-bit arithmetic. On overflow, a function returns false and leaves `a` unchanged.
//
//     integer total = 1;
//     if (!multiply(total, extent)) return refusal{rule::size_overflows};
//
// Written out, because device code lacks __builtin_mul_overflow.
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr integer largest = 0x7fff'ffff'ffff'ffff;
inline constexpr integer smallest = -largest - 1;

AXE_FN constexpr bool add(integer& a, integer b) {
  if (b > 0 ? a > largest - b : a < smallest - b) return false;
  a += b;
  return true;
}

AXE_FN constexpr bool multiply(integer& a, integer b) {
  bool const overflows = a > 0 ? (b > 0 ? a > largest / b : b < smallest / a)
                               : (b > 0 ? a < smallest / b : a != 0 && b < largest / a);
  if (overflows) return false;
  a *= b;
  return true;
}

AXE_FN constexpr integer product_or_largest(integer a, integer b) {
  return multiply(a, b) ? a : largest;
}

AXE_FN constexpr bool add_product(integer& a, integer b, integer c) {
  return multiply(b, c) && add(a, b);
}

/// a = a * b + c for b >= 1.
AXE_FN constexpr bool multiply_add(integer& a, integer b, integer c) {
  integer quotient = a;
  integer rest = c % b;
  if (!add(quotient, c / b)) return false;
  // Gives quotient * b and rest the same sign, so that neither exceeds the sum.
  if (quotient > 0 && rest < 0) {
    --quotient;
    rest += b;
  } else if (quotient < 0 && rest > 0) {
    ++quotient;
    rest -= b;
  }
  if (!multiply(quotient, b) || !add(quotient, rest)) return false;
  a = quotient;
  return true;
}

AXE_FN constexpr integer magnitude(integer a) { return a < 0 ? -a : a; }
AXE_FN constexpr integer smaller(integer a, integer b) { return b < a ? b : a; }
AXE_FN constexpr integer larger(integer a, integer b) { return a < b ? b : a; }

/// Rounds toward minus infinity; b > 0.
AXE_FN constexpr integer floor_divide(integer a, integer b) { return a / b - (a % b < 0 ? 1 : 0); }
AXE_FN constexpr integer ceil_divide(integer a, integer b) { return a / b + (a % b > 0 ? 1 : 0); }

AXE_FN constexpr integer greatest_common_divisor(integer a, integer b) {
  a = magnitude(a);
  b = magnitude(b);
  while (b != 0) {
    integer const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

AXE_FN constexpr bool is_power_of_two(integer n) { return n > 0 && (n & (n - 1)) == 0; }
AXE_FN constexpr int ceil_log2(integer n) {
  int bits = 0;
  while (bits < 63 && (integer{1} << bits) < n) ++bits;
  return bits;
}
AXE_FN constexpr int exact_log2(integer n) { return is_power_of_two(n) ? ceil_log2(n) : -1; }

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
