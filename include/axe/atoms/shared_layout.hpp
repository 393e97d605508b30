// SPDX-License-Identifier: MIT
// mma_shared_layout(bits, mode, S): the layout that TMA writes to shared memory, and wgmma and
// tcgen05 read.
//
//     mma_shared_layout(16, swizzle_mode::bytes_128, {128, 64})    swizzle(M=3,B=3,S=3) o S[8192:1]
//
// The tile must begin at a multiple of 8 times the swizzle's width. Sources: PTX ISA, "Asynchronous
// Warpgroup Level Matrix Shared Memory Layout"; docs/algebra.md, D16.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class swizzle_mode : int { none = 0, bytes_32 = 32, bytes_64 = 64, bytes_128 = 128 };

namespace detail {

AXE_LAZY_FN constexpr refusal check_mode(swizzle_mode mode) {
  integer const mode_bytes = static_cast<integer>(mode);
  return mode_bytes == 0 || mode_bytes == 32 || mode_bytes == 64 || mode_bytes == 128
             ? refusal{}
             : refusal{rule::mma_swizzle_mode, {mode_bytes}};
}

AXE_LAZY_FN constexpr axe::swizzle swizzle_of_mode(swizzle_mode mode, integer bits) {
  if (mode == swizzle_mode::none) return {};
  return {chunk_bits(static_cast<int>(bits)), ceil_log2(static_cast<integer>(mode) / 16), 3};
}

}  // namespace detail

/// The contiguous dimension: the last (columns) or the second to last (rows).
enum class runs_along : unsigned char { columns, rows };

/// The contiguous extent must be a multiple of the swizzle's width, or of 16 bytes without a
/// swizzle. Under a swizzle, the other extent must be a multiple of 8.
AXE_LAZY_FN constexpr outcome<layout> try_mma_shared_layout(
    integer bits, swizzle_mode mode, shape const& s, runs_along contiguous = runs_along::columns) {
  using namespace detail;
  if (!is_power_of_two(bits) || bits > 64) return refusal{rule::mma_element_width, {bits}};
  integer const mode_bytes = static_cast<integer>(mode);
  if (refusal const bad = check_mode(mode)) return bad;
  extent_list extents;
  integer size = 1;
  if (refusal const bad = dimensions_of(s, extents, size)) return bad;
  int const rank = extents.count;
  if (rank < 2) return refusal{rule::mma_tile_rank, {rank}};
  bool const transposed = contiguous == runs_along::rows;
  integer const rows = extents[rank - (transposed ? 1 : 2)];
  integer const columns = extents[rank - (transposed ? 2 : 1)];
  integer const width = mode_bytes == 0 ? 16 : mode_bytes, box = width * 8 / bits;
  if (columns % box != 0) return refusal{rule::mma_columns, {columns, box, width}};
  if (mode_bytes != 0 && rows % 8 != 0) return refusal{rule::mma_rows, {rows}};
  digit_builder digits;
  integer tile = size;
  for (int d = 0; d < rank - 2; ++d) {
    tile /= extents[d];
    digits.push({extents[d], tile, axis::m});
  }
  iter const down{rows, box, axis::m};
  if (!transposed) digits.push(down);
  digits.push({columns / box, rows * box, axis::m});
  digits.push({box, 1, axis::m});
  if (transposed) digits.push(down);
  layout l;
  l.swizzle = swizzle_of_mode(mode, bits);
  if (refusal const bad = digits.finish(l.shards)) return bad;
  return try_canonicalize(l);
}

AXE_LAZY_FN constexpr layout mma_shared_layout(integer bits, swizzle_mode mode, shape const& s,
                                               runs_along contiguous = runs_along::columns) {
  return detail::stop_on(try_mma_shared_layout(bits, mode, s, contiguous), "mma_shared_layout",
                         {nullptr, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
