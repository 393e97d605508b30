// SPDX-License-Identifier: MIT
// Plans tcgen05.mma of one CTA or of a pair: C in tensor memory, B in shared memory, A in either.
//
//     C (256,256) = S[(2,128,256):(1@cluster_cta_x,1@TLane,1@TCol)]     m256n256k16, cta_group::2
//
// Sources: PTX ISA, "CTA Pair"; docs/plans.md, "tcgen05".
#pragma once

#include <axe/atoms/tensor_memory_operands.hpp>
#include <axe/plan/mma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr refusal take_pair_digit(mma_tile& t, integer rows, integer columns) {
  outcome<layout> const grouped = group_of(valid_layout::proved(t.where), {rows, columns});
  if (grouped.why) return grouped.why;
  layout of_cta = *grouped;
  for (int k = grouped->blocks[0] - 1; k >= 0; --k)
    if (of_cta.shards[k] == iter{2, 1, axis::cluster_cta_x}) of_cta.shards.erase(k);
  of_cta.blocks.clear();
  if (axes_of(of_cta).contains(axis::cluster_cta_x)) return {rule::mma_cta_pair};
  t.where = of_cta;
  t.extents = {rows / 2, columns};
  return {};
}

AXE_LAZY_FN constexpr void elements_to_columns(layout& starts, integer column_elements) {
  for (iter& i : starts.shards) i.stride /= column_elements;
  integer const first = starts.offset(axis::TCol);
  if (first != 0) add_offset(starts, term{first / column_elements - first, axis::TCol});
}

AXE_LAZY_FN constexpr refusal plan_tcgen05(mma_instruction i, mma_tiles t, mma_plan& plan) {
  using enum memory_space;
  bool const a_in_tensor = t.lie_in(tensor, shared, tensor);
  if (!a_in_tensor && !t.lie_in(shared, shared, tensor)) return {rule::mma_memories};
  data_path path = i.m == 128 ? data_path::D : data_path::F;
  if (i.ctas == 2) {
    if (refusal const bad = take_pair_digit(t.c, t.m, t.n)) return of_operand(2, bad);
    path = i.m == 256 ? data_path::A : data_path::B;
    i.m /= 2, t.m /= 2;
  }
  refusal bad = find_repetitions(mma_operand::accumulator, t.c, i,
                                 accumulator_in_tensor_memory(path, i.n), plan.c);
  if (i.ctas == 2) i.n /= 2, t.n /= 2;  // each CTA has half the columns of B
  if (!bad && a_in_tensor) {
    integer const bits = bits_of(plan.types.a);
    bad = find_repetitions(mma_operand::a, t.a, i, a_in_tensor_memory(path, i.k, bits), plan.a);
    if (!bad) bad = check_starts(plan.a, 32 / bits, axis::TCol, rule::tmem_packed_start);
    if (!bad) elements_to_columns(plan.a, 32 / bits);
  }
  return bad ? bad : plan_shared_operands(i, t, plan);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
