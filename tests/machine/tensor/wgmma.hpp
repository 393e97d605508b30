// wgmma.mma_async of a whole warpgroup (PTX ISA, "Asynchronous Multiply-and-Accumulate Instruction:
// wgmma.mma_async"): D (64, n) = A (64, k) * B (k, n) [+ D], where k is 32 bytes of elements (b1:
// 256 bits).
//
//     wgmma_instruction{.n = 128, .d = element::f32, .a = element::bf16, .b = element::bf16}
//     is wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 with 64 accumulators per thread
//
// Two steps, because the instruction is asynchronous: read the operands (A registers at issue,
// shared memory when the engine's effect lands), then multiply. The four warps are one unit.
// Register positions (PTX ISA, "Matrix Fragments for wgmma.mma_async.m64nNk16"), g = lane / 4, q =
// lane % 4:
//
//     D, 32-bit register j:   row = 16 warp + 8 (j / 2 % 2) + g, column = 8 (j / 4) + 2 q + j % 2
//     D, f16 pair register j: row = 16 warp + 8 (j % 2) + g,     columns 8 (j / 2) + 2 q and the next
//     A register j (0..3):    row = 16 warp + 8 (j % 2) + g,     bytes 16 (j / 2) + 4 q and the next three
//
// Arithmetic as in mma.hpp: f32 sums upwards over k from D, or from 0 when scale-d is false.
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

/// Why the ISA has no such instruction, or nullptr.
char const* refuse_wgmma(wgmma_instruction const& instruction);

constexpr int k_of(wgmma_instruction const& it) { return 256 / width_of(it.a); }

/// Accumulator registers per thread: n / 2 of 32 bits, n / 4 of f16 pairs.
constexpr int accumulators_of(wgmma_instruction const& it) {
  return it.d == element::f16 ? it.n / 4 : it.n / 2;
}

/// An operand as bytes, K-major: row r of A or column r of B is bytes 32 r .. 32 r + 31.
struct operand_rows {
  int rows = 0;
  alignas(64) std::array<std::uint8_t, 256 * 32> bytes;
};

/// The descriptor must not be refused for these rows and this memory.
void read_operand(matrix_descriptor const& descriptor, major order, element type, int rows,
                  std::span<std::byte const> shared, operand_rows& out);

/// A from registers: a.of[warp][0..3].
void read_registers(warpgroup_registers a, operand_rows& out);

/// d.of[warp][0 .. accumulators_of - 1]; scale_d false ignores what D holds.
void wgmma(wgmma_instruction const& instruction, operand_rows const& a, operand_rows const& b,
           warpgroup_registers d, bool scale_d);

/// The same with a chosen kernel set, for the tests that compare them.
void wgmma_with(kernel_set const& kernels, wgmma_instruction const& instruction,
                operand_rows const& a, operand_rows const& b, warpgroup_registers d, bool scale_d);

}  // namespace machine::tensor
