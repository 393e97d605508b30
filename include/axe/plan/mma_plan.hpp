// SPDX-License-Identifier: MIT
// mma_plan: the instruction of a matrix product, its repetitions, and where their operands start.
//
//     C (64,64) by m16n8k16: m_steps 4, n_steps 8
#pragma once

#include <axe/algebra/permute.hpp>
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

namespace detail {

AXE_LAZY_FN constexpr refusal plan_shared_operands(mma_instruction const& i, mma_tiles const& t,
                                                   mma_plan& plan) {
  integer const bits = bits_of(plan.types.a);
  if (t.a.space == memory_space::shared) {
    outcome<shared_operand_plan> const a =
        shared_operand_of(valid_layout::proved(t.a.where), t.a.extents, bits, i.m);
    if (a.why) return a.why;
    plan.a_shared = *a;
  }
  outcome<layout> const rows_first =
      permute_of(valid_layout::proved(t.b.where), t.b.extents, {1, 0});
  if (!rows_first) return of_operand(1, rows_first.why);
  outcome<shared_operand_plan> const b = shared_operand_of(rows_first, {t.n, t.k}, bits, i.n);
  plan.b_shared = b.value;
  return of_operand(1, b.why);
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
