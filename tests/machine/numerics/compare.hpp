// Comparisons of floats (PTX ISA, "Comparisons") and minimum and maximum ("Floating Point Instructions: min,
// max").
//
//     eq ne lt le gt ge      false when an operand is NaN: ne too, unlike C++'s !=
//     equ neu ltu leu gtu geu   true when an operand is NaN        num, nan    neither is NaN, one is
//
//     min(1, NaN) = 1, min.NaN(1, NaN) = NaN, min(+0, -0) = -0, and min(NaN, NaN) is the canonical NaN
//     max.xorsign.abs(-3, 2) = -3: the larger magnitude under the product of the signs
#pragma once

#include <cmath>
#include <cstdint>

namespace machine::numerics {

enum class comparison : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

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

/// The rule on values; a NaN result is any NaN, which the caller writes as its format's canonical one.
template <class Float> Float extreme(Float a, Float b, bool want_larger, min_max_options how) {
  Float result = a;
  bool const negative = std::signbit(a) != std::signbit(b);
  if (how.xorsign_abs) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  if (a != a || b != b) {
    result = how.nan || (a != a && b != b) ? (a != a ? a : b) : (a != a ? b : a);
    if (result != result) return result;
  } else if (a == b) {
    result = std::signbit(a) == want_larger ? b : a;  // only zeros differ here: +0 is above -0
  } else {
    result = (a > b) == want_larger ? a : b;
  }
  return how.xorsign_abs ? std::copysign(result, negative ? Float{-1} : Float{1}) : result;
}

}  // namespace machine::numerics
