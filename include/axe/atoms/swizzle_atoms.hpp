// SPDX-License-Identifier: MIT
// Swizzles of Blackwell's tensor maps other than those of 32, 64 and 128 bytes with 16-byte pieces.
//
//     swizzle_128B_atom_32B<16>         swizzle(4,2,2)     32-byte pieces, repeats in 512 bytes
//
// The mode 128B_ATOM_32B_FLIP_8B is swizzle_128B_atom_32B, then swizzle_8B_flip; one layout cannot
// express both. wgmma cannot read these modes. They have not run on a GPU here. Source: PTX ISA,
// "Swizzling Modes"; CUDA driver API, CUtensorMapSwizzle. Definition: docs/algebra.md, D23. CUTLASS
// declares the 64-byte atom with two bits more than the PTX ISA's table.
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
/// The second step of 128B_ATOM_32B_FLIP_8B.
template <int Bits>
  requires(detail::width_of_elements<Bits> && Bits <= 64)
inline constexpr swizzle swizzle_8B_flip{detail::chunk_bits(Bits) - 1, 1, 4};

}  // namespace AXE_NAMESPACE
}  // namespace axe
