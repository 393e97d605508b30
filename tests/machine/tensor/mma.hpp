// mma.sync on a whole warp (PTX ISA, "Multiply-and-Accumulate Instruction: mma"): D = A * B + C.
//
//     mma_instruction{16, 8, 16, element::bf16, element::bf16, element::f32, element::f32}
//     is mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 with registers d[4], a[4], b[2], c[4]
//
// A register is an array of 32 lanes, an operand an array of pointers to registers. D may be the
// same registers as C, A or B: results are written when all operands have been read.
//
// Arithmetic: exact products; f32 sums upwards over k from C, rounded each; f16 accumulators are
// summed in f32 and rounded once; f64 by fused multiply-add; integers exactly, then wrapped or,
// with .satfinite, clamped. Order and rounding of the float sums are this machine's choice: the ISA
// leaves them open.
#pragma once

#include <cstdint>

#include "tensor/element.hpp"

namespace machine::tensor {

struct mma_instruction {
  int m, n, k;
  element a, b, c, d;
  bool satfinite = false;
  bool exclusive_or = false;  // b1: .xor.popc, otherwise .and.popc
  bool a_is_column = false;   // m8n8k4.f16 alone has a choice of layouts
  bool b_is_row = false;
};

/// Why the ISA has no such instruction, or nullptr.
char const* refuse_mma(mma_instruction const& instruction);

struct mma_registers {
  int a, b, c, d;  // how many registers each operand has: of 32 bits, for f64 of 64
};
mma_registers registers_of(mma_instruction const& instruction);

/// Everything but f64. a[i] points to the 32 lanes of register i.
void mma(mma_instruction const& instruction, std::uint32_t* const* d, std::uint32_t const* const* a,
         std::uint32_t const* const* b, std::uint32_t const* const* c);

void mma_f64(mma_instruction const& instruction, std::uint64_t* const* d,
             std::uint64_t const* const* a, std::uint64_t const* const* b,
             std::uint64_t const* const* c);

}  // namespace machine::tensor
