// SPDX-License-Identifier: MIT
// shared_operand(bits, mode, major, S, leading, stride): the address of each element of a wgmma
// operand in shared memory. `leading` and `stride` are its descriptor's LBO and SBO, in bytes.
//
//     shared_operand(16, swizzle_mode::bytes_128, operand_major::k, {64, 16}, 0, 1024)
//                                                 swizzle(M=3,B=3,S=3) o S[(64,16):(64,1)]
//
// S is (M, K) or (N, K). Addresses count elements from the start of the swizzle's pattern. Sources:
// PTX ISA, "Strides"; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/matrix_descriptor.hpp>
#include <axe/atoms/prescribed.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The contiguous dimension, as in CUTLASS.
enum class operand_major : unsigned char { k, mn };

AXE_LAZY_FN constexpr outcome<layout> try_shared_operand(integer bits, swizzle_mode mode,
                                                         operand_major major, shape const& s,
                                                         integer leading, integer stride) {
  using namespace detail;
  using enum axis;
  if (refusal const bad = check_operand_width(bits)) return bad;
  integer const width = static_cast<integer>(mode);
  if (refusal const bad = check_mode(mode)) return bad;
  extent_list extents;
  if (refusal const bad = matrix_extents(s, extents)) return bad;
  if (major == operand_major::mn && bits != 16) return refusal{rule::wgmma_mn_major_width, {bits}};
  for (integer n : {leading, stride})
    if (!fits_a_descriptor(n)) return refusal{rule::wgmma_descriptor_bytes, {n}};
  integer const chunk = 128 / bits;  // elements in 16 bytes
  integer const line = width == 0 ? chunk : width * 8 / bits;
  integer const lbo = leading * 8 / bits, sbo = stride * 8 / bits;
  bool const by_k = major == operand_major::k;
  integer const row_group = by_k ? 8 : line, k_group = by_k ? line : 8;
  if (extents[0] % row_group != 0) return refusal{rule::wgmma_group, {extents[0], row_group}};
  bool const k_in_line = by_k && width != 0;
  if (k_in_line && extents[1] > k_group) return refusal{rule::wgmma_row, {extents[1], k_group}};
  if (!k_in_line && extents[1] % k_group != 0)
    return refusal{rule::wgmma_group, {extents[1], k_group}};
  integer const groups = extents[0] / row_group;
  integer const adjacent = k_in_line ? extents[1] : chunk;
  layout l;
  if (by_k)
    l = prescribed(
        {{groups, sbo, m}, {8, line, m}, {extents[1] / adjacent, lbo, m}, {adjacent, 1, m}});
  else
    l = prescribed({{groups, width != 0 ? lbo : sbo, m},
                    {line, 1, m},
                    {extents[1] / 8, width != 0 ? sbo : lbo, m},
                    {8, line, m}});
  l.swizzle = swizzle_of_mode(mode, bits);
  return try_canonicalize(l);
}

AXE_LAZY_FN constexpr layout shared_operand(integer bits, swizzle_mode mode, operand_major major,
                                            shape const& s, integer leading, integer stride) {
  return detail::stop_on(try_shared_operand(bits, mode, major, s, leading, stride),
                         "shared_operand", {nullptr, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
