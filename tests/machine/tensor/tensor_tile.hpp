// The places in tensor memory of the registers of tcgen05.ld and tcgen05.st (PTX ISA, "Data
// Movement Shape"): register j of lane l of shape 16x64b is in row (l & 1) * 8 + l / 4 and column
// 2 j + (l / 2 & 1).
#pragma once

#include <cstdint>

namespace machine::tensor {

enum class tile_shape : std::uint8_t { b32x32, b16x64, b16x128, b16x256, b16x32x2 };
inline constexpr tile_shape all_tile_shapes[] = {tile_shape::b32x32, tile_shape::b16x64,
                                                 tile_shape::b16x128, tile_shape::b16x256,
                                                 tile_shape::b16x32x2};

constexpr char const* name_of(tile_shape shape) {
  constexpr char const* names[] = {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"};
  return names[static_cast<int>(shape)];
}

constexpr std::uint32_t rows_of(tile_shape shape) { return shape == tile_shape::b32x32 ? 32 : 16; }

struct tensor_tile {
  tile_shape shape;
  int repeats;  // .x1 to .x128
  int registers;
  bool packs = false;
  int distance = 0;  // of the halves of 16x32bx2
};

constexpr tensor_tile tile_of(tile_shape shape, int repeats, bool packs) {
  int const each = shape == tile_shape::b16x128 ? 2 : shape == tile_shape::b16x256 ? 4 : 1;
  return {shape, repeats, repeats * each, packs};
}

struct tile_cell {
  int row, column;
};

///     register j of lane l      row                         column
///     32x32b                    l                           j
///     16x64b                    (l & 1) * 8 + l / 4         2 j + (l / 2 & 1)
///     16x128b                   (j & 1) * 8 + l / 4         4 (j / 2) + l % 4
///     16x256b                   (j / 2 & 1) * 8 + l / 4     8 (j / 4) + 2 (l % 4) + j % 2
///     16x32bx2                  l % 16                      j + (l / 16) * distance
///
/// pack::16b and unpack::16b move two columns of 16 bits to or from one register: column c of the
/// table stands for columns 2 c and 2 c + 1.
constexpr tile_cell cell_of(tensor_tile const& it, int j, int lane) {
  tile_cell at{};
  switch (it.shape) {
    case tile_shape::b32x32: at = {lane, j}; break;
    case tile_shape::b16x64: at = {(lane & 1) * 8 + lane / 4, 2 * j + (lane / 2 & 1)}; break;
    case tile_shape::b16x128: at = {(j & 1) * 8 + lane / 4, 4 * (j / 2) + lane % 4}; break;
    case tile_shape::b16x256:
      at = {(j / 2 & 1) * 8 + lane / 4, 8 * (j / 4) + 2 * (lane % 4) + j % 2};
      break;
    case tile_shape::b16x32x2: at = {lane % 16, j}; break;
  }
  int const half = it.shape == tile_shape::b16x32x2 ? lane / 16 * it.distance : 0;
  return {at.row, at.column * (it.packs ? 2 : 1) + half};
}

/// Visits each column that the tile touches.
template <class Visit> void for_each_column(tensor_tile const& it, Visit visit) {
  int const of_shape[] = {1, 2, 4, 8, 1};
  int const count = of_shape[static_cast<int>(it.shape)] * it.repeats * (it.packs ? 2 : 1);
  for (int column = 0; column < count; ++column) visit(column);
  if (it.shape != tile_shape::b16x32x2) return;
  for (int column = it.distance; column < it.distance + count; ++column)
    if (column < 0 || column >= count) visit(column);
}

}  // namespace machine::tensor
