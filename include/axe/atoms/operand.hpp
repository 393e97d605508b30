// shared_operand(bits, mode, direction, S, leading, stride): which address wgmma reads each element
// of an operand in shared memory from, given the fields of its descriptor.
//
//     shared_operand(16, swizzle_mode::bytes_128, operand_major::k, {64, 16}, 0, 1024)
//                                  swizzle(M=3,B=3,S=3) o S[(64,16):(64,1)]          8-row groups 1024 bytes apart, rows of 128 bytes
//
// S = (rows, K): rows are M or N of the product, K the 256 bits of one instruction (or more, inside
// the
// swizzle's width). Bytes: leading = LBO, stride = SBO. With T elements
// in 16 bytes and C 16-byte chunks in the swizzle's width, before swizzle(log2 T, log2 C, 3):
//     k, swizzled       row (r/8, r mod 8)  SBO, C*T       k  1                                        LBO is ignored
//     k, none           row (r/8, r mod 8)  SBO, T         k (k/T, k mod T)          LBO, 1
//     mn, swizzled      row (r/CT, r mod CT)  LBO, 1       k (k/8, k mod 8)          SBO, C*T
//     mn, none          row (r/T, r mod T)  SBO, 1         k (k/8, k mod 8)          LBO, T
// (LBO and SBO change places between none and swizzled of mn.) The address counts from the
// descriptor's
// start, which lies where the swizzle's pattern begins.
// mn: only 16-bit elements.
// Refused: other widths, extents that do not come out in these groups, leading and stride that a
// descriptor does not hold.
// Source: PTX ISA, "Shared Memory Matrix Layout", "Strides", "Matrix-descriptor Format".
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>
#include <axe/atoms/shared_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Along which dimension neighbours are adjacent: K, or the rows (M of A, N of B).
enum class operand_major : unsigned char { k, mn };

/// Bytes in, elements out: element (row, k) of S to its address on m. S has two dimensions.
AXE_PLANNER constexpr outcome<layout> try_shared_operand(integer bits, swizzle_mode mode,
                                                         operand_major direction, shape const& s,
                                                         integer leading, integer stride) {
  if (bits != 8 && bits != 16 && bits != 32) return refusal{rule::wgmma_element_width, {bits}};
  integer const repeat = static_cast<integer>(mode);
  if (repeat != 0 && repeat != 32 && repeat != 64 && repeat != 128)
    return refusal{rule::mma_swizzle_mode, {repeat}};
  detail::extent_list extents;
  integer size = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, size)) return bad;
  if (extents.size() != 2) return refusal{rule::mma_tile_rank, {extents.size()}};
  if (direction == operand_major::mn && bits != 16)
    return refusal{rule::wgmma_mn_major_width, {bits}};
  if (leading < 0 || leading >= 1 << 18 || leading % 16 != 0)
    return refusal{rule::wgmma_descriptor_bytes, {leading}};
  if (stride < 0 || stride >= 1 << 18 || stride % 16 != 0)
    return refusal{rule::wgmma_descriptor_bytes, {stride}};
  integer const chunk = 128 / bits;                              // elements in 16 bytes
  integer const wide = repeat == 0 ? chunk : repeat * 8 / bits;  // in a swizzle's width
  integer const lbo = leading * 8 / bits, sbo = stride * 8 / bits;
  bool const by_k = direction == operand_major::k;
  // What one group holds of each dimension.
  integer const of_rows = by_k ? 8 : wide, of_k = by_k ? wide : 8;
  if (extents[0] % of_rows != 0) return refusal{rule::wgmma_group, {extents[0], of_rows}};
  bool const within = by_k && repeat != 0;  // one group of k: any part of it
  if (within ? extents[1] > of_k : extents[1] % of_k != 0)
    return refusal{rule::wgmma_group, {extents[1], of_k}};
  integer const groups = extents[0] / of_rows;
  layout l;
  if (by_k && repeat != 0)
    l = detail::prescribed({{groups, sbo, axis::m}, {8, wide, axis::m}, {extents[1], 1, axis::m}});
  else if (by_k)
    l = detail::prescribed({{groups, sbo, axis::m},
                            {8, chunk, axis::m},
                            {extents[1] / chunk, lbo, axis::m},
                            {chunk, 1, axis::m}});
  else
    l = detail::prescribed({{groups, repeat != 0 ? lbo : sbo, axis::m},
                            {wide, 1, axis::m},
                            {extents[1] / 8, repeat != 0 ? sbo : lbo, axis::m},
                            {8, wide, axis::m}});
  if (repeat != 0)
    l.swizzle = {detail::chunk_bits(static_cast<int>(bits)),
                 repeat == 32   ? 1
                 : repeat == 64 ? 2
                                : 3,
                 3};
  return try_canonicalize(l);
}

AXE_PLANNER constexpr layout shared_operand(integer bits, swizzle_mode mode,
                                            operand_major direction, shape const& s,
                                            integer leading, integer stride) {
  outcome<layout> const result = try_shared_operand(bits, mode, direction, s, leading, stride);
  if (!result) detail::stop_on(result.why, "shared_operand", {nullptr, nullptr, &s});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
