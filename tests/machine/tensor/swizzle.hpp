// The swizzle modes of shared memory that TMA and wgmma share (PTX ISA, "Swizzling Modes" and
// "Shared Memory Matrix Layout").
//
//     span       32 B            64 B              128 B
//     address ^= bit 7 at bit 4  bits 8-7 at 5-4   bits 9-7 at 6-4
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

enum class swizzle : std::uint8_t { none, b32, b64, b128 };

constexpr char const* name_of(swizzle mode) {
  constexpr char const* names[] = {"no swizzle", "32B swizzle", "64B swizzle", "128B swizzle"};
  return names[static_cast<int>(mode)];
}

constexpr std::uint32_t span_of(swizzle mode) {
  return mode == swizzle::none ? 16u : 16u << static_cast<int>(mode);
}

constexpr std::uint32_t swizzled(swizzle mode, std::uint32_t address, std::uint32_t pattern = 0) {
  std::uint32_t const mask = span_of(mode) / 16 - 1;
  return address ^ ((((address >> 7) - pattern) & mask) << 4);
}

}  // namespace machine::tensor
