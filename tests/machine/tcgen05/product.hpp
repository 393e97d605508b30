// One tcgen05.mma, decoded: what it computes, and in which blocks. It is checked when it is issued
// and completes later, in the order of issue (tcgen05/pipeline.hpp).
#pragma once

#include "tcgen05/pair.hpp"
#include "tcgen05/tensor_memory.hpp"
#include "tensor/tcgen05_product.hpp"

namespace machine {

/// A row of the opcode table.
struct product_row {
  tensor::mma_kind kind = tensor::mma_kind::f16;
  unsigned group = 1;
  bool a_in_tensor_memory = false, keeps_lanes = false;
  int scales = 0;  // tensor::mma_instruction::scales
  bool is_weight_stationary = false, is_sparse = false, shifts_a = false;
};

struct product {
  tensor_blocks blocks;
  tensor::mma_instruction what;
  tensor::operand_descriptor a, b;
  bool a_in_tensor_memory = false, shifts_a = false;
  tensor_place a_place, d_place;
  std::uint32_t a_scales = 0, b_scales = 0;  // first columns
  std::uint32_t metadata = 0;                // first column, of sparse A
  bool accumulate = false;
  int scale = 0;
  std::array<std::uint32_t, 8> kept{};  // lanes that keep D: four words for each block
};

/// Reads the operands of one lane. Throws if the ISA has no such product.
product decode_product(warp& w, instruction const& i, unsigned lane, product_row const& row);

/// Throws unless the operands have been allocated and written, and the writes are ordered before
/// the product.
void check_product(warp& w, instruction const& i, unsigned lane, product const& it);

void land_product(warp& w, instruction const& i, product const& it);

}  // namespace machine
