// The swizzles that tensor maps of Blackwell have besides those of 16-byte pieces in 32, 64 and 128
// bytes (layout/swizzle.hpp), for elements of Bits bits.
//
//     swizzle_96B<16>                   swizzle(3,1,3)     lines of 96 bytes, 16-byte pieces: the address's XOR is that of swizzle_32B, with 256 bytes to its repeat
//     swizzle_128B_atom_32B<16>         swizzle(4,2,2)     pieces of 32 bytes, XORed by the line: repeats in 512 bytes
//     swizzle_128B_atom_64B<16>         swizzle(5,1,1)     pieces of 64 bytes change places in every other line
//     swizzle_8B_flip<16>               swizzle(2,1,4)     halves of 16 bytes change places in every other line
//
// A line is 128 bytes of shared memory. The mode 128B_ATOM_32B_FLIP_8B is swizzle_128B_atom_32B and
// then swizzle_8B_flip: bits from two distances, so no one swizzle and no layout; as a linear map
// it is both, one after the other. wgmma reads none of these (atoms/shared_layout.hpp). Compile-time
// constants; no GPU has run them here.
// Refused: elements of which no power of two fills a piece; wider ones than the piece (8 bytes for
// the flip).
// Source: PTX ISA, "Swizzling Modes", tables of the 32-byte and 64-byte atomicity; CUDA driver API,
// CUtensorMapSwizzle. (CUTLASS asks of the 64-byte atom two bits more than the table has: this is
// the table.)
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/layout/swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_96B{detail::chunk_bits(Bits), 1, 3};
template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_128B_atom_32B{detail::chunk_bits(Bits) + 1, 2, 2};
template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_128B_atom_64B{detail::chunk_bits(Bits) + 2, 1, 1};
/// The last step of 128B_ATOM_32B_FLIP_8B.
template <int Bits>
  requires(detail::width_of_elements<Bits> && Bits <= 64)
inline constexpr swizzle swizzle_8B_flip{detail::chunk_bits(Bits) - 1, 1, 4};

}  // namespace AXE_NAMESPACE
}  // namespace axe
