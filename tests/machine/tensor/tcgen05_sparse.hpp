// Sparse A of tcgen05.mma.sp: of each group of 4 elements along K (of tf32: 2), half is stored.
// Metadata says which elements these are (PTX ISA, "Sparse Matrices").
//
//     metadata 1100 of a bf16 group: elements 0 and 3 are stored
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tensor/tcgen05_product.hpp"

namespace machine::tensor {

constexpr int columns_of_metadata(mma_instruction const& it) {
  return it.kind == mma_kind::f8f6f4 || it.kind == mma_kind::i8 ? 2 : 1;
}

/// The position along K of stored element k of row r is at [k * 128 + r].
using stored_positions = std::array<std::uint8_t, 32 * 128>;

/// Reads the metadata of a block, whose first column is `words`. Returns why it is illegal, or
/// an empty string. Each group has four bits. Bits 1-0 and 3-2 are the positions of its two stored
/// elements; tf32 has 0100 if the first element of the group is stored and 1110 if the second is.
/// The bits of group g of row r are in tensor memory where CUTLASS's tmem_e_frg has them:
///
///     8-bit types      lane r                                    bit 4 g of two columns
///     f16, tf32        lane r % 8 + r / 16 * 16 + g / 4 * 8      bit r / 8 % 2 * 16 + g % 4 * 4
std::string read_metadata(mma_instruction const& it, std::uint32_t const* words,
                          stored_positions& out);
/// Expands the stored elements of 128 rows in `a` to full rows, with zeros between them.
void expand(mma_instruction const& it, stored_positions const& at, operand_floats& a);

}  // namespace machine::tensor
