// Comparisons of floats (PTX ISA, "Comparisons"), and min and max.
//
//     eq ne lt le gt ge         false if an operand is NaN, also ne (unlike != of C++)
//     equ neu ltu leu gtu geu   true if an operand is NaN
//     num                       true if no operand is NaN
//     nan                       true if an operand is NaN
//     min(1, NaN) = 1, min.NaN(1, NaN) = NaN, min(+0, -0) = -0, min(NaN, NaN) = canonical NaN
//     max.xorsign.abs(-3, 2) = -3: the larger magnitude with the product of the signs
#pragma once

#include <bit>
#include <cstdint>

namespace machine::numerics {

enum class comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

constexpr bool compare(comparison operation, double a, double b) {
  bool const unordered = a != a || b != b;
  switch (operation) {
    case comparison::eq: return a == b;
    case comparison::ne: return !unordered && a != b;
    case comparison::lt: return a < b;
    case comparison::le: return a <= b;
    case comparison::gt: return a > b;
    case comparison::ge: return a >= b;
    case comparison::equ: return unordered || a == b;
    case comparison::neu: return unordered || a != b;
    case comparison::ltu: return unordered || a < b;
    case comparison::leu: return unordered || a <= b;
    case comparison::gtu: return unordered || a > b;
    case comparison::geu: return unordered || a >= b;
    case comparison::num: return !unordered;
    case comparison::nan: return unordered;
  }
  return false;
}

struct min_max_options {
  bool ftz = false;
  bool nan = false;
  bool xorsign_abs = false;
};

/// Computes min and max on the bits of any IEEE format, with selects instead of branches so that
/// loops vectorise. If the result is NaN, it is one of the operands. The caller replaces it by the
/// canonical NaN.
template <class Bits>
[[gnu::always_inline]] constexpr Bits extreme_bits(Bits a, Bits b, Bits infinity, bool want_larger,
                                                   min_max_options how) {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  constexpr Bits all = static_cast<Bits>(~Bits{0});
  auto const magnitude = [](Bits bits) {
    return static_cast<Bits>(bits & static_cast<Bits>(~sign));
  };
  // Maps floats to unsigned integers in the same order; -0 is below +0.
  auto const rank = [](Bits bits) {
    return static_cast<Bits>(bits ^ ((bits & sign) != 0 ? all : sign));
  };
  auto const result_sign = static_cast<Bits>((a ^ b) & sign);
  if (how.xorsign_abs) {
    a = magnitude(a);
    b = magnitude(b);
  }
  bool const a_is_nan = magnitude(a) > infinity;
  bool const b_is_nan = magnitude(b) > infinity;
  Bits result = (rank(a) > rank(b)) == want_larger ? a : b;
  // With .NaN the NaN is the result, otherwise the other operand is.
  result = a_is_nan ? (how.nan ? a : b) : result;
  result = b_is_nan ? (how.nan ? b : a) : result;
  if (how.xorsign_abs && magnitude(result) <= infinity)
    result = static_cast<Bits>(result | result_sign);
  return result;
}

inline float extreme(float a, float b, bool want_larger, min_max_options how) {
  return std::bit_cast<float>(extreme_bits<std::uint32_t>(std::bit_cast<std::uint32_t>(a),
                                                          std::bit_cast<std::uint32_t>(b),
                                                          0x7f800000u, want_larger, how));
}
inline double extreme(double a, double b, bool want_larger, min_max_options how) {
  return std::bit_cast<double>(extreme_bits<std::uint64_t>(std::bit_cast<std::uint64_t>(a),
                                                           std::bit_cast<std::uint64_t>(b),
                                                           0x7ff0000000000000u, want_larger, how));
}

}  // namespace machine::numerics
