// Converts between f32 and f16 or bf16, written so that loops vectorise.
//
//     bf16   bits << 16 widens; rn adds 0x7fff and the last bit that is kept
//     f16    magnitude << 13, then * 2^(127-15), which normalises subnormals: 0x0001 -> 2^-24
//
// Conversions to float are always inlined: files compiled for AVX-512 call them, and the linker
// must not share that code with other files. encode<f16> and encode<bf16> of format.hpp give the
// same bits as the conversions from float, which format_test.cpp compares.
#pragma once

#include <bit>
#include <cstdint>

namespace machine::numerics {

/// Keeps the payload of a NaN; the instruction that uses the value canonicalises it.
[[gnu::always_inline]] constexpr float bf16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

[[gnu::always_inline]] constexpr float f16_to_float(std::uint16_t bits) {
  std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  std::uint32_t const magnitude = static_cast<std::uint32_t>(bits & 0x7fffu) << 13;
  constexpr float two_to_112 = 5192296858534827628530496329220096.0f;
  std::uint32_t const scaled =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * two_to_112);
  std::uint32_t const special = magnitude | 0x7f800000u;  // infinity and NaN keep their mantissa
  return std::bit_cast<float>(sign | (magnitude >= 0x0f800000u ? special : scaled));
}

constexpr std::uint16_t float_to_bf16(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t const rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

constexpr std::uint16_t float_to_f16(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t const sign = (bits >> 16) & 0x8000u;
  std::uint32_t const magnitude = bits & 0x7fffffffu;
  std::uint32_t const rebiased = magnitude - (112u << 23);
  std::uint32_t const normal = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  // Magnitudes below 2^-14: adding 0.5 makes 2^-24 the unit of the sum, so the addition rounds to
  // nearest even.
  bool const is_small = magnitude < 0x38800000u;
  float const aligned = std::bit_cast<float>(is_small ? magnitude : 0u) + 0.5f;
  std::uint32_t result = is_small ? std::bit_cast<std::uint32_t>(aligned) - 0x3f000000u : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;  // 65520 and more become infinity
  result |= sign;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? 0x7fffu : result);
}

}  // namespace machine::numerics
