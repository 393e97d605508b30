// Reference arithmetic for the tests of numerics/. A number is a big integer in units of 2^unit;
// rounding searches the format's encodings. Of numerics/ it uses only the formats and decode, which
// format_test.cpp compares with the ISA's definition.
//
//     exact<10, -320>             640-bit integers in units of 2^-320, for products and sums of f32
//     rounded<bf16>(value, mode)  m or its neighbour, as the mode says; m is the largest encoding
//                                 with |decode(m)| <= |value|, found by bisection
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "numerics/format.hpp"

namespace machine::numerics::test {

__extension__ using wide = unsigned __int128;

template <int Words, int Unit> class exact {
 public:
  exact() = default;
  explicit exact(double value) {
    add_parts(std::signbit(value), significand(value), exponent(value));
  }

  /// Returns a * b, with all bits.
  static exact product(double a, double b) {
    exact result;
    result.add_parts(std::signbit(a) != std::signbit(b),
                     static_cast<wide>(significand(a)) * significand(b), exponent(a) + exponent(b));
    return result;
  }

  exact operator+(exact const& other) const {
    exact result = *this;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < Words; ++i) {
      wide const sum = static_cast<wide>(words_[i]) + other.words_[i] + carry;
      result.words_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    return result;
  }
  exact operator-() const {
    exact result;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < Words; ++i) {
      wide const sum = static_cast<wide>(~words_[i]) + carry;
      result.words_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    return result;
  }
  int sign() const {
    if ((words_[Words - 1] >> 63) != 0) return -1;
    for (std::uint64_t const word : words_)
      if (word != 0) return 1;
    return 0;
  }
  int compared_to(double value) const { return (*this + -exact(value)).sign(); }

 private:
  static std::uint64_t significand(double value) {
    auto const bits = std::bit_cast<std::uint64_t>(value);
    std::uint64_t const mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    return ((bits >> 52) & 0x7ff) == 0 ? mantissa : mantissa | (std::uint64_t{1} << 52);
  }
  static int exponent(double value) {
    auto const field = static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff);
    return (field == 0 ? 1 : field) - 1023 - 52;
  }
  void add_parts(bool negative, wide magnitude, int exponent) {
    while (magnitude != 0 && exponent < Unit) {  // drops trailing zeros of a value that fits
      magnitude >>= 1;
      ++exponent;
    }
    int const shift = exponent - Unit;
    auto index = static_cast<std::size_t>(shift / 64);
    int const inside = shift % 64;
    std::uint64_t carried = 0;  // bits carried from the word below
    for (; magnitude != 0 || carried != 0; ++index) {
      auto const low = static_cast<std::uint64_t>(magnitude);
      words_[index] = low << inside | carried;
      carried = inside == 0 ? 0 : low >> (64 - inside);
      magnitude >>= 64;
    }
    if (negative) *this = -*this;
  }

  std::array<std::uint64_t, Words> words_{};  // two's complement, least significant word first
};

using exact_f32 = exact<10, -320>;
using exact_f64 = exact<70, -2240>;

/// Rounds a finite exact value that is not 0. compare(v) is the sign of (exact value - v). Overflow
/// is as in IEEE 754.
template <format F, class Compare> std::uint32_t rounded(Compare compare, rounding mode) {
  bool const negative = compare(0.0) < 0;
  auto const at_least = [&](double magnitude) {
    return negative ? compare(-magnitude) <= 0 : compare(magnitude) >= 0;
  };
  auto const equals = [&](double magnitude) {
    return compare(negative ? -magnitude : magnitude) == 0;
  };
  std::uint32_t low = 0;
  std::uint32_t high = F.largest() + 1;
  while (high - low > 1) {
    std::uint32_t const middle = low + (high - low) / 2;
    (at_least(decode<F>(middle)) ? low : high) = middle;
  }
  std::uint32_t const sign = negative ? F.sign_bit() : 0;
  if (equals(decode<F>(low))) return sign | low;
  double const below = decode<F>(low);
  // The neighbour above the largest number is the one that a larger exponent would give.
  double const above =
      low == F.largest() ? below + (below - decode<F>(low - 1)) : decode<F>(low + 1);
  double const middle = below + (above - below) / 2;
  bool up = false;
  switch (mode) {
    case rounding::rz: up = false; break;
    case rounding::rm: up = negative; break;
    case rounding::rp: up = !negative; break;
    case rounding::rna: up = at_least(middle); break;
    case rounding::rn: up = at_least(middle) && (!equals(middle) || (low & 1) != 0); break;
  }
  if (!up) return sign | low;
  if (low < F.largest()) return sign | (low + 1);
  return F.kind == specials::ieee ? sign | F.infinity() : sign | F.largest();
}

inline constexpr rounding all_modes[] = {rounding::rn, rounding::rz, rounding::rm, rounding::rp,
                                         rounding::rna};

/// A reproducible stream of bits (splitmix64).
class bit_stream {
 public:
  explicit bit_stream(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace machine::numerics::test
