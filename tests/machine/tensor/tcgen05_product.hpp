// Computes one tcgen05.mma: converts operands from shared or tensor memory to floats, and
// multiplies them into columns of tensor memory (PTX ISA, "Data Path Layout Organization").
//
// Sums begin with D and add in f32 in the order of k. f16 is rounded once for each instruction; s32
// is exact.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tensor/tcgen05_descriptor.hpp"

namespace machine::tensor {

/// Converts one element of up to 32 bits, in the low bits of the word.
float to_float(mma_element type, std::uint32_t bits);

/// One k step of an operand. Element (row, k) is at row * row_stride + k * k_stride.
struct operand_floats {
  int row_stride = 0, k_stride = 0;
  alignas(64) std::array<float, 256 * 64> values;
};

/// The scales of an operand's rows. [r * scales + k] is the scale of block k of row r.
struct operand_scales {
  std::array<float, 256 * 4> values;
};

float to_float(scale_type type, std::uint8_t bits);

/// Reads the rows that the descriptor reaches, `rows` rows of `chunks` chunks of 16 bytes, into
/// rows `first` and up of `out`. Rows of A and the k of B are contiguous, as column_product
/// requires.
void read_operand(operand_descriptor const& from, major order, mma_element type, bool negate,
                  int rows, std::span<std::byte const> shared, bool is_a, operand_floats& out,
                  int first = 0, int chunks = 2);
/// Reads A from eight columns of tensor memory. words[0] is lane 0 of the first column, words[128]
/// lane 0 of the next. Elements of 4 and 6 bits have a byte each (decompress), except e2m1_pair.
/// With `is_shifted` (.ashift), each lane except the first of 32 has the row of the lane before.
void read_tensor_operand(mma_instruction const& it, std::uint32_t const* words, int lane,
                         bool is_shifted, operand_floats& out);

/// Spreads 16 elements of 4 or 6 bits, which are packed at the start of 16 bytes, to a byte each:
/// 00SEEM00 or 00SEEEMM, from the highest bit. Elements of 8 bits stay as they are.
void decompress(int bits, std::byte const* chunk, std::array<std::uint32_t, 4>& out);

/// The place of one block's D in tensor memory, and the lanes of it that are written.
struct mma_target {
  std::uint32_t* words = nullptr;  // lane 0 of the first column; the next is 128 words further
  int lane = 0;
  bool accumulate = true;
  int scale = 0;                            // D is scaled by 2^-scale
  std::array<std::uint32_t, 4> disabled{};  // bits of lanes that are not written
};

/// Returns how many rows of A and D one block has.
constexpr int rows_of_block(mma_instruction const& it) { return it.m / it.pair; }
/// Returns the number of parts of N that lie in the same columns, each in its own lanes.
constexpr int folds_of(mma_instruction const& it) {
  if (it.is_weight_stationary) return 128 / it.m;
  return it.pair == 2 && it.m == 128 ? 2 : 1;
}
/// Returns the number of columns of D.
constexpr int columns_of(mma_instruction const& it) { return it.n / folds_of(it); }
/// Returns the lane of a row of D in the first part of N, and of a row of A in tensor memory.
constexpr int lane_of_row(mma_instruction const& it, int row) {
  bool const is_half = it.pair == 1 && it.m == 64 && !it.is_weight_stationary;
  return is_half ? row / 16 * 32 + row % 16 : row;
}
/// Returns the number of lanes from one part of N to the next.
constexpr int lanes_of_fold(mma_instruction const& it) { return rows_of_block(it); }

/// Returns the first lane whose row of A differs, or -1. The lanes of all parts must hold the same
/// A.
int differing_lane(mma_instruction const& it, std::uint32_t const* words);

/// Computes D = A B, or D += A B. Row r of one block is in these lanes and columns of tensor
/// memory:
///
///     128 rows            lane r                       column n
///     64 rows, one CTA    lane 32 (r / 16) + r % 16    column n, 16 lanes more if D begins at 16
///     64 rows, CTA pair   lane r + 64 (n / (N / 2))    column n % (N / 2), for .ws too
///     32 rows, .ws        lane r + 32 (n / (N / 4))    column n % (N / 4)
///
/// Each element of D has a word of its own; f16 is in its lower half.
void multiply(mma_instruction const& it, operand_floats const& a, operand_floats const& b,
              mma_target const& d);

/// Reads the scales of `rows` rows. Those of row r are in lane r % 32 of column r / 32.
void read_scales(mma_instruction const& it, int part, std::uint32_t const* words, int rows,
                 operand_scales& out);
/// Returns the first lane whose word differs, or -1. All four groups of 32 lanes must hold the same
/// scales.
int differing_scale(std::uint32_t const* words, int rows);
/// Computes D += sum of A * B * scale of A * scale of B. Changes A and B.
void multiply_scaled(mma_instruction const& it, operand_floats& a, operand_floats& b,
                     operand_scales const& of_a, operand_scales const& of_b, mma_target const& d);

}  // namespace machine::tensor
