// mma_shared_layout(bits, mode, S): how TMA puts a tile of shared memory down, and how wgmma and
// tcgen05 read it.
//
//     mma_shared_layout(16, swizzle_mode::bytes_128, {128, 64})     swizzle(M=3,B=3,S=3) o S[8192:1]
//     mma_shared_layout(16, swizzle_mode::bytes_64, {128, 64})      swizzle(M=3,B=2,S=3) o S[(128,2,32):(32,4096,1)]
//     mma_shared_layout(16, swizzle_mode::none, {128, 64})          S[(128,8,8):(8,1024,1)]
//
// Rows of a box are as wide as the swizzle repeats, w = 32, 64 or 128 bytes; without one, 16 bytes.
// A wider tile is boxes side by side, each all rows long: element (r, c) before the swizzle lies at
// c / w * R*w + r * w + c mod w, w in elements. Further dimensions are tiles one after the other. A
// shape (rows, K) gives an operand's K-major form; (K, columns) its MN-major form, and so does
// (rows, K) with runs_along::rows. Tiles must begin at a multiple of the swizzle's repeat: 256,
// 512, 1024 bytes.
// Refused: elements whose width is no power of two up to 64 bits, fewer than two dimensions, rows
// that are no multiple of 8 under a swizzle, columns that are none of w.
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout"; CUDA driver API,
// cuTensorMapEncodeTiled.
// Definition: docs/algebra.md, D16.
#pragma once

#include <axe/engine/digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The bytes that the swizzle of a shared-memory operand repeats in; none leaves 16-byte pieces
/// where they are.
enum class swizzle_mode : int { none = 0, bytes_32 = 32, bytes_64 = 64, bytes_128 = 128 };

/// Along which of the last two dimensions neighbours are adjacent in memory.
enum class runs_along : unsigned char { columns, rows };

AXE_PLANNER constexpr outcome<layout> try_mma_shared_layout(
    integer bits, swizzle_mode mode, shape const& s, runs_along adjacent = runs_along::columns) {
  // 128-bit elements leave no room for a chunk of 16 bytes that holds two of them: no tensor core
  // has them.
  if (bits < 1 || bits > 64 || (bits & (bits - 1)) != 0)
    return refusal{rule::mma_element_width, {bits}};
  integer const repeat = static_cast<integer>(mode);
  if (repeat != 0 && repeat != 32 && repeat != 64 && repeat != 128)
    return refusal{rule::mma_swizzle_mode, {repeat}};
  detail::extent_list extents;
  integer size = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, size)) return bad;
  int const rank = extents.size();
  if (rank < 2) return refusal{rule::mma_tile_rank, {rank}};
  bool const turned = adjacent == runs_along::rows;
  integer const rows = extents[rank - (turned ? 1 : 2)];
  integer const columns = extents[rank - (turned ? 2 : 1)];
  integer const box = (repeat == 0 ? 16 : repeat) * 8 / bits;
  if (columns % box != 0)
    return refusal{rule::mma_columns, {columns, box, repeat == 0 ? 16 : repeat}};
  if (repeat != 0 && rows % 8 != 0) return refusal{rule::mma_rows, {rows}};
  detail::digit_builder digits;
  integer tile = size;
  for (int d = 0; d < rank - 2; ++d) {
    tile /= extents[d];
    digits.push({extents[d], tile, axis::m});
  }
  iter const down{rows, box, axis::m};
  if (!turned) digits.push(down);
  digits.push({columns / box, rows * box, axis::m});
  digits.push({box, 1, axis::m});
  if (turned) digits.push(down);
  layout l;
  if (repeat != 0)
    l.swizzle = {detail::chunk_bits(static_cast<int>(bits)),
                 repeat == 32   ? 1
                 : repeat == 64 ? 2
                                : 3,
                 3};
  if (refusal const bad = digits.finish(l.shards)) return bad;
  return try_canonicalize(l);
}

AXE_PLANNER constexpr layout mma_shared_layout(integer bits, swizzle_mode mode, shape const& s,
                                               runs_along adjacent = runs_along::columns) {
  outcome<layout> const result = try_mma_shared_layout(bits, mode, s, adjacent);
  if (!result) detail::stop_on(result.why, "mma_shared_layout", {nullptr, nullptr, &s});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
