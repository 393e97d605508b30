// divisor: a run-time number, prepared once on the host so that dividing by it is a multiplication.
//
//     kept_divisor<true> const c(7);       c.quotient(x): x / 7 for every x below 2^31
//
// s = ceil(log2 d), m = ceil(2^(31+s) / d): floor(x*m / 2^(31+s)) is exact, as the high word of
// 2x*m shifted by s. 32-bit x need a 33-bit m: t = high word of x*m', (t + (x - t) / 2) >> (s - 1).
// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, section 4.
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
