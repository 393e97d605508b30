// ue8m0 is a power of two in eight bits, the scale of block-scaled formats (PTX ISA, "Alternate
// Floating-Point Data Formats"). cvt.ue8m0x2 needs sm_100.
//
//     bits 0 .. 254 mean 2^(bits - 127), 255 is NaN; there is no sign and no zero
//     3.0: rz -> 2^1 (0x80), rp -> 2^2 (0x81)        0.0 -> 2^-127 (0x00) in both modes
//
// The sign of the source is ignored. Infinity becomes 0xff, or 0xfe with .satfinite, as in the
// toolkit's cuda_fp8.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "numerics/rounding.hpp"

namespace machine::numerics {

constexpr double decode_scale(std::uint8_t bits) {
  if (bits == 0xff) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<int>(bits) - 127 + 1023)
                               << 52);
}

/// cvt to ue8m0 has two rounding modes, rz and rp.
constexpr std::uint8_t encode_scale(float value, rounding mode, bool satfinite) {
  std::uint32_t const magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0xff;
  std::uint32_t exponent = magnitude >> 23;
  // 0x00400000 is 2^-127, the smallest scale. Values up to 2^-127 do not round up.
  bool const between =
      (magnitude & 0x7fffffu) != 0 && magnitude > 0x00400000u && magnitude < 0x7f800000u;
  if (mode == rounding::rp && between) ++exponent;
  if (satfinite && exponent == 0xff) exponent = 0xfe;
  return static_cast<std::uint8_t>(exponent);
}

/// Implements cvt.rn.bf16x2.ue8m0x2 for one element. It is exact; 2^-127 is the subnormal 0x0040.
constexpr std::uint16_t scale_to_bf16(std::uint8_t bits) {
  if (bits == 0xff) return 0x7fff;
  return bits == 0 ? std::uint16_t{0x0040} : static_cast<std::uint16_t>(bits << 7);
}

}  // namespace machine::numerics
