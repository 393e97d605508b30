// The swizzle modes of shared memory that TMA and wgmma share (PTX ISA, "Swizzling Modes" and
// "Shared Memory Matrix Layout").
//
//     span       32 B            64 B              128 B
//     address ^= bit 7 at bit 4  bits 8-7 at 5-4   bits 9-7 at 6-4
//
//     128 B, atoms of 32 B    bits 8-7 at 6-5       the same and 8-byte halves of 16 exchanged    bit 7 also at 3 [assumed]
//     128 B, atoms of 64 B    bit 7 at 6
//
//     128 B, address 0x480 = row 9 of eight 16-byte chunks, chunk 0: bits 9-7 are 1, so it lies at 0x490
//
// The bits are those of the absolute shared address, so a tile need not start where the pattern
// does: a copy and a product that both use absolute addresses agree. `pattern` is the base offset
// of a wgmma descriptor, (start of the pattern >> 7) & 7; it is subtracted from the row bits
// [assumed: the ISA gives the field but no formula for it].
#pragma once

#include <cstdint>

namespace machine::tensor {

/// Of CUtensorMapSwizzle. Descriptors have the first four, and b128_atom32 for tf32.
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

constexpr std::uint32_t swizzled(swizzle mode, std::uint32_t address, std::uint32_t pattern = 0) {
  std::uint32_t const row = (address >> 7) - pattern;
  if (mode == swizzle::b128_atom64) return address ^ (row & 1u) << 6;
  if (mode == swizzle::b128_atom32_flip8) return address ^ ((row & 3u) << 5 | (row & 1u) << 3);
  if (mode == swizzle::b128_atom32) return address ^ (row & 3u) << 5;
  return address ^ (row & (span_of(mode) / 16 - 1)) << 4;
}

}  // namespace machine::tensor
