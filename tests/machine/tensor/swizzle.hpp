// Swizzle modes of TMA and wgmma (PTX ISA, "Swizzling Modes", "Shared Memory Matrix Layout"). Each
// XORs bits of the absolute shared address into lower bits. With 128 B, 0x480 becomes 0x490:
//
//     32 B   bit 7 into bit 4      64 B   bits 8-7 into 5-4      128 B   bits 9-7 into 6-4
//     128 B, atoms of 32 B       bits 8-7 into 6-5; with 8-byte flips bit 7 also into 3 (assumed)
//     128 B, atoms of 64 B       bit 7 into 6
#pragma once

#include <cstdint>

namespace machine::tensor {

/// The modes of CUtensorMapSwizzle. Descriptors have the first four, and b128_atom32 for tf32.
enum class swizzle : std::uint8_t {
  none,
  b32,
  b64,
  b128,
  b128_atom32,
  b128_atom32_flip8,
  b128_atom64
};

constexpr bool has_wide_atoms(swizzle mode) { return mode > swizzle::b128; }

constexpr char const* name_of(swizzle mode) {
  constexpr char const* names[] = {"no swizzle",
                                   "32B swizzle",
                                   "64B swizzle",
                                   "128B swizzle",
                                   "128B swizzle with atoms of 32 bytes",
                                   "128B swizzle with atoms of 32 bytes and 8-byte flips",
                                   "128B swizzle with atoms of 64 bytes"};
  return names[static_cast<int>(mode)];
}

constexpr std::uint32_t span_of(swizzle mode) {
  if (has_wide_atoms(mode)) return 128;
  return mode == swizzle::none ? 16u : 16u << static_cast<int>(mode);
}

/// Swizzles an address. `pattern` is the base offset of a wgmma descriptor, (start of the pattern
/// >> 7) & 7. Subtracting it from the row bits is an assumption: the ISA has no formula for the
/// field.
constexpr std::uint32_t swizzled(swizzle mode, std::uint32_t address, std::uint32_t pattern = 0) {
  std::uint32_t const row = (address >> 7) - pattern;
  if (mode == swizzle::b128_atom64) return address ^ (row & 1u) << 6;
  if (mode == swizzle::b128_atom32_flip8) return address ^ ((row & 3u) << 5 | (row & 1u) << 3);
  if (mode == swizzle::b128_atom32) return address ^ (row & 3u) << 5;
  return address ^ (row & (span_of(mode) / 16 - 1)) << 4;
}

}  // namespace machine::tensor
