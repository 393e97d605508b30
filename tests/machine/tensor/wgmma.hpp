// wgmma.mma_async of a warpgroup (PTX ISA, "wgmma.mma_async"): D = A * B or D = A * B + D. A is
// (64, k), B (k, n), D (64, n), and k elements have 256 bits. Sums are those of mma.hpp. With
// g = lane / 4 and q = lane % 4 (PTX ISA, "Matrix Fragments for wgmma.mma_async.m64nNk16"):
//
//     D, 32-bit register j  row = 16 warp + 8 (j / 2 % 2) + g, column = 8 (j / 4) + 2 q + j % 2
//     D, f16x2 register j   row = 16 warp + 8 (j % 2) + g,     columns 8 (j / 2) + 2 q + {0, 1}
//     A register j          row = 16 warp + 8 (j % 2) + g,     bytes 16 (j / 2) + 4 q and 3 more
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tensor/descriptor.hpp"
#include "tensor/kernels.hpp"

namespace machine::tensor {

struct wgmma_instruction {
  int n;
  element d, a, b;
  bool a_in_registers = false;
  bool negate_a = false;  // imm-scale-a is -1
  bool negate_b = false;
  bool transpose_a = false;  // imm-trans-a is 1: MN-major
  bool transpose_b = false;
  bool satfinite = false;
};

/// Returns a sentence if the ISA does not have the instruction, else nullptr.
char const* refuse_wgmma(wgmma_instruction const& instruction);

constexpr int k_of(wgmma_instruction const& it) { return 256 / width_of(it.a); }

/// Returns the accumulators per thread: n / 2 registers of 32 bits, n / 4 of f16x2.
constexpr int accumulators_of(wgmma_instruction const& it) {
  return it.d == element::f16 ? it.n / 4 : it.n / 2;
}

/// An operand as bytes, K-major: bytes 32 r .. 32 r + 31 are row r of A or column r of B. Operands
/// are read before the product, because the instruction is asynchronous: registers at the issue,
/// shared memory when the instruction completes.
struct operand_rows {
  int rows = 0;
  alignas(64) std::array<std::uint8_t, 256 * 32> bytes;
};

/// Reads an operand from shared memory. The descriptor must be legal for these rows and this
/// memory.
void read_operand(matrix_descriptor const& descriptor, major order, element type, int rows,
                  std::span<std::byte const> shared, operand_rows& out);

/// Reads A from registers: a.of[warp][0..3].
void read_registers(warpgroup_registers a, operand_rows& out);

/// Multiplies into d.of[warp][0 .. accumulators_of - 1]. Without scale_d, D is overwritten.
void wgmma(wgmma_instruction const& instruction, operand_rows const& a, operand_rows const& b,
           warpgroup_registers d, bool scale_d);

/// Computes wgmma with these inner loops, for tests.
void wgmma_with(kernel_set const& kernels, wgmma_instruction const& instruction,
                operand_rows const& a, operand_rows const& b, warpgroup_registers d, bool scale_d);

}  // namespace machine::tensor
