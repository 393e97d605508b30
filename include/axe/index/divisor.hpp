// divisor: a number that is known at run time only, made ready once so that dividing by it is a
// multiplication.
//
//     kept_divisor<true> const c(7);       on the host, in the sized layout that is handed to a kernel
//     c.quotient(x)                        x / 7 for every x below 2^31: the high word of 2x * m, shifted
//
// With s = ceil(log2 d) and x below 2^31, m = ceil(2^(31+s) / d) has 32 bits, and m*d - 2^(31+s) <
// d <= 2^s makes floor(x*m / 2^(31+s)) exact: 2x*m >> 32 >> s, for d = 1 too. Where x may have 32
// bits m has 33: with m' = m - 2^32 and t = the high word of x*m' the quotient is (t + (x - t) / 2)
// >> (s - 1), two instructions more.
// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, section 4.
// Definition: docs/index_code.md, "Sizes at run time".
#pragma once

#include <axe/index/quotient.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// ceil(log2 d), d at least 1.
AXE_FN constexpr unsigned bits_to_reach(stl::uint64_t d) {
  unsigned s = 0;
  while ((stl::uint64_t{1} << s) < d) ++s;
  return s;
}

/// Of numbers below 2^31 (Short), or of all of 32 bits.
template <bool Short> struct kept_divisor {
  unsigned number = 1;
  unsigned multiplier = stl::uint32_t{1} << 31;
  unsigned shift = 0;

  constexpr kept_divisor() = default;
  AXE_FN constexpr explicit kept_divisor(unsigned d)
      : number(d),
        multiplier(
            static_cast<unsigned>(((stl::uint64_t{1} << (31 + bits_to_reach(d))) + d - 1) / d)),
        shift(bits_to_reach(d)) {}
  AXE_FN constexpr unsigned quotient(unsigned x) const {
    return high_word(x + x, multiplier) >> shift;
  }
};
template <> struct kept_divisor<false> {
  unsigned number = 1;
  unsigned multiplier = 1;
  unsigned half = 0;  // 1, or 0 for a divisor of 1
  unsigned shift = 0;

  constexpr kept_divisor() = default;
  AXE_FN constexpr explicit kept_divisor(unsigned d)
      : number(d),
        multiplier(
            static_cast<unsigned>((((stl::uint64_t{1} << bits_to_reach(d)) - d) << 32) / d + 1)),
        half(d == 1 ? 0 : 1),
        shift(bits_to_reach(d) - half) {}
  AXE_FN constexpr unsigned quotient(unsigned x) const {
    unsigned const t = high_word(x, multiplier);
    return (t + ((x - t) >> half)) >> shift;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
