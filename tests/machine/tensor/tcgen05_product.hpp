// What one tcgen05.mma computes, of one CTA: operands from shared or tensor memory to floats, and
// the product into columns of tensor memory (PTX ISA, "Data Path Layout Organization").
//
//     M 128    row r of D is lane r                       column n is column n of D
//     M 64     row r of D is lane 32 (r / 16) + r % 16    (16 more where D begins at lane 16)
//
// Each element of D has a word of its own, f16 its lower half. Sums run over k upwards from D in
// f32; f16 is rounded once for each instruction, s32 is exact.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tensor/tcgen05_descriptor.hpp"

namespace machine::tensor {

/// One element of up to 32 bits, in the low bits of the word.
float to_float(mma_element type, std::uint32_t bits);

/// A k step of an operand: element (row, k) at row * row_stride + k * k_stride.
struct operand_floats {
  int row_stride = 0, k_stride = 0;
  alignas(64) std::array<float, 256 * 32> values;
};

/// Rows follow each other for A, k for B: as column_product wants them.
void read_operand(operand_descriptor const& from, major order, mma_element type, bool negate,
                  int rows, std::span<std::byte const> shared, bool is_a, operand_floats& out);
/// Eight columns of packed elements; lane 0 of the first is words[0], of the next words[128].
void read_tensor_operand(mma_element type, bool negate, int rows, std::uint32_t const* words,
                         operand_floats& out);

/// Where D lies, and which of it is written.
struct mma_target {
  std::uint32_t* words = nullptr;  // lane 0 of the first column; the next begins 128 words behind
  int lane = 0;
  bool accumulate = true;
  int scale = 0;                            // D counts as D * 2^-scale
  std::array<std::uint32_t, 4> disabled{};  // lanes that keep what they have
};

int lane_of_row(mma_instruction const& it, int row);
void multiply(mma_instruction const& it, operand_floats const& a, operand_floats const& b,
              mma_target const& d);

}  // namespace machine::tensor
