// SPDX-License-Identifier: MIT
// mma_plan: the instruction of a matrix product, its repetitions, and where their operands start.
//
//     C (64,64) by m16n8k16: m_steps 4, n_steps 8
#pragma once

#include <axe/plan/engine/mma_operand.hpp>
#include <axe/plan/plan_shared_operand.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct mma_plan {
  mma_instruction instruction{};
  mma_types types{};
  integer m_steps = 0, n_steps = 0, k_steps = 0;
  memory_space a_space = memory_space::registers, b_space = memory_space::registers;
  // Map repetition (m, k) of A, (k, n) of B, (m, n) of C to its first register or column.
  layout a{}, b{}, c{};
  // For a pair, one CTA's operands. The columns of B are planned as rows.
  shared_operand_plan a_shared{}, b_shared{};
  candidate_list<mma_instruction> candidates{};

  constexpr bool operator==(mma_plan const&) const = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
