// Element types of matrix operands, and their conversion to f32:
//
//     a 32-bit register holds 32 / width elements, the first in its lowest bits:
//     {e4m3 1.0, 2.0, -1.0, 0} is 0x00b84038        {f16 1.0, -2.0} is 0xc0003c00
//
// Types up to 16 bits, and tf32 without its lower 13 bits, are exact in f32. Integers too: the sum
// of 32 products of bytes is below 2^24. f64 and b1 are computed separately.
#pragma once

#include <bit>
#include <cstdint>

#include "numerics/halves.hpp"

namespace machine::tensor {

enum class element : std::uint8_t {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32
};

constexpr int width_of(element type) {
  switch (type) {
    case element::f64: return 64;
    case element::tf32:
    case element::f32:
    case element::s32: return 32;
    case element::f16:
    case element::bf16: return 16;
    case element::s4:
    case element::u4: return 4;
    case element::b1: return 1;
    default: return 8;
  }
}

constexpr char const* name_of(element type) {
  constexpr char const* names[] = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2",
                                   "s8",  "u8",   "s4",   "u4",  "b1",  "s32"};
  return names[static_cast<int>(type)];
}

constexpr bool is_integer(element type) {
  return type == element::s8 || type == element::u8 || type == element::s4 || type == element::u4;
}
constexpr bool is_fp8(element type) { return type == element::e4m3 || type == element::e5m2; }
constexpr bool is_16_bit_float(element type) {
  return type == element::f16 || type == element::bf16;
}

/// Moves the seven bits below the sign to f32's exponent and mantissa; 2^(127-7) corrects the bias.
[[gnu::always_inline]] constexpr float e4m3_to_float(std::uint8_t bits) {
  std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x80u) << 24;
  std::uint32_t const magnitude = static_cast<std::uint32_t>(bits & 0x7fu) << 20;
  constexpr float two_to_120 = 1329227995784915872903807060280344576.0f;
  auto const scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * two_to_120);
  return std::bit_cast<float>(sign | ((bits & 0x7fu) == 0x7fu ? 0x7fffffffu : scaled));
}

/// Converts an e5m2, which is the upper half of an f16.
[[gnu::always_inline]] constexpr float e5m2_to_float(std::uint8_t bits) {
  return numerics::f16_to_float(static_cast<std::uint16_t>(bits << 8));
}

/// Converts one element of up to 32 bits, in the low bits of the word.
constexpr float to_float(element type, std::uint32_t bits) {
  switch (type) {
    case element::f16: return numerics::f16_to_float(static_cast<std::uint16_t>(bits));
    case element::bf16: return numerics::bf16_to_float(static_cast<std::uint16_t>(bits));
    case element::tf32: return std::bit_cast<float>(bits & 0xffffe000u);
    case element::f32: return std::bit_cast<float>(bits);
    case element::e4m3: return e4m3_to_float(static_cast<std::uint8_t>(bits));
    case element::e5m2: return e5m2_to_float(static_cast<std::uint8_t>(bits));
    case element::s8: return static_cast<float>(static_cast<std::int8_t>(bits));
    case element::u8: return static_cast<float>(static_cast<std::uint8_t>(bits));
    case element::s4: return static_cast<float>(static_cast<std::int32_t>(bits << 28) >> 28);
    case element::u4:
    case element::b1: return static_cast<float>(bits);
    default: return 0.0f;
  }
}

/// Returns element `index` of a register.
constexpr float element_of(element type, std::uint32_t word, int index) {
  int const width = width_of(type);
  std::uint32_t const mask = width == 32 ? 0xffffffffu : (1u << width) - 1u;
  return to_float(type, (word >> (index * width)) & mask);
}

}  // namespace machine::tensor
