// SPDX-License-Identifier: MIT
// floor(v / D) for a static D and all v < N: a shift, a multiplication, both, or a division.
//
//     quotient<7, 5376>(v)              __umulhi(v, 613566757)
//     quotient<21952, 702464>(v)        high word of (v >> 1) * 391306
//
// Definition: docs/index_code.md, "Quotients".
#pragma once

#include <axe/base/checked.hpp>
#include <axe/base/traits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Integers of at most `Bytes` bytes, and types that convert to them.
template <class T, int Bytes = 16>
inline constexpr bool any_integer = requires(T const& x) {
  static_cast<unsigned>(x % 1u);
  requires sizeof(x % 1u) <= Bytes;
};

AXE_FN constexpr stl::uint32_t reciprocal(integer divisor) {
  return static_cast<stl::uint32_t>(((integer{1} << 32) + divisor - 1) / divisor);
}

/// The number of values below `range`, where 0 stands for 2^32.
AXE_FN constexpr integer register_values(integer range) {
  constexpr integer all = integer{1} << 32;
  return range <= 0 || range > all ? all : range;
}

AXE_FN constexpr bool reciprocal_is_exact(integer divisor, integer range) {
  if (divisor < 2) return false;
  range = register_values(range);
  if (range < divisor) return (range - 1) * reciprocal(divisor) < (integer{1} << 32);
  integer const error = integer{reciprocal(divisor)} * divisor - (integer{1} << 32);
  // The largest v in range with the remainder divisor - 1.
  integer const worst = range / divisor * divisor - 1;
  return error == 0 || worst < ((integer{1} << 32) + error - 1) / error;
}

/// Returns by how many bits v and the divisor are shifted right to make the high word exact, or -1.
AXE_FN constexpr int shift_before_reciprocal(integer divisor, integer range) {
  range = register_values(range);
  for (int k = 0; divisor > 1; ++k) {
    if (reciprocal_is_exact(divisor, range)) return k;
    if (divisor % 2 != 0) return -1;
    divisor /= 2;
    range = (range + 1) / 2;
  }
  return -1;
}

AXE_FN constexpr unsigned high_word(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
  if (!__builtin_is_constant_evaluated()) return __umulhi(a, b);
#endif
  return static_cast<unsigned>((static_cast<stl::uint64_t>(a) * b) >> 32);
}

/// Hides the computation of a number from the optimiser.
AXE_FN constexpr void hide(auto& number) {
  if (__builtin_is_constant_evaluated()) return;
#ifdef __CUDA_ARCH__  // clang for AArch64 rejects "l"
  if constexpr (sizeof(number) == 8)
    asm("" : "+l"(number));
  else
#endif
    asm("" : "+r"(number));
}

/// Range 0 stands for 2^32.
template <integer Divisor, integer Range> AXE_FN constexpr unsigned quotient(unsigned v) {
  static_assert(Divisor >= 1);
  if constexpr ((Range != 0 && Range <= Divisor) || Divisor > integer{0xffff'ffff}) {
    return 0;  // v is below the divisor, and a shift by 32 or more is undefined
  } else if constexpr (is_power_of_two(Divisor)) {
    return v >> ceil_log2(Divisor);
  } else if constexpr (shift_before_reciprocal(Divisor, Range) >= 0) {
    constexpr int shift = shift_before_reciprocal(Divisor, Range);
    return high_word(v >> shift, reciprocal(Divisor >> shift));
  } else {
    return v / static_cast<unsigned>(Divisor);
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
