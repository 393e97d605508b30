// mma.sync of a whole warp (PTX ISA, "mma"): D = A * B + C.
//
//     mma_instruction{16, 8, 16, element::bf16, element::bf16, element::f32, element::f32}
//     is mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 with registers d[4], a[4], b[2], c[4]
//
// f32 sums start at C and add in the order of k; each step is rounded. f16 is summed in f32 and
// rounded once. f64 uses FMA. Integers wrap or, with .satfinite, saturate. The ISA leaves the order
// of float sums open.
#pragma once

#include <cstdint>

#include "tensor/element.hpp"

namespace machine::tensor {

struct mma_instruction {
  int m, n, k;
  element a, b, c, d;
  bool satfinite = false;
  bool exclusive_or = false;  // b1: .xor.popc, otherwise .and.popc
  bool a_is_column = false;   // only m8n8k4 of f16 has a choice of layouts
  bool b_is_row = false;
};

/// Returns a sentence if the ISA does not have the instruction, else nullptr.
char const* refuse_mma(mma_instruction const& instruction);

struct mma_registers {
  int a, b, c, d;  // how many registers each operand has, of 32 bits or, for f64, 64 bits
};
mma_registers registers_of(mma_instruction const& instruction);

/// Multiplies all types but f64. An operand is an array of pointers to the 32 lanes of its
/// registers. D may be the registers of C, A or B: results are written after all operands have been
/// read.
void mma(mma_instruction const& instruction, std::uint32_t* const* d, std::uint32_t const* const* a,
         std::uint32_t const* const* b, std::uint32_t const* const* c);

void mma_f64(mma_instruction const& instruction, std::uint64_t* const* d,
             std::uint64_t const* const* a, std::uint64_t const* const* b,
             std::uint64_t const* const* c);

}  // namespace machine::tensor
