// SPDX-License-Identifier: MIT
// Finds slow copies: accesses of less than 4 bytes.
#pragma once

#include <axe/plan/copy_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr bool all_threads_issue(copy_instruction i) {
  return is_vector(i) || is_cp_async(i);
}

inline constexpr integer least_access_bytes = 4;
AXE_FN constexpr bool has_narrow_accesses(copy_plan const& plan) {
  return is_vector(plan.instruction) && plan.bytes < least_access_bytes;
}

/// The mode along which 4 bytes are adjacent and aligned in memory, or -1.
AXE_LAZY_FN constexpr int wide_mode(copy_plan const& plan, copy_side which) {
  planned_side const side = planned_side_of(plan, which);
  if (!side.by_stride || side.space == memory_space::registers) return -1;
  constexpr integer word = 8 * least_access_bytes;
  int wide = -1;
  for (int k = 0; k < plan.modes.count; ++k) {
    integer const stride = side.where.shards[k].stride;
    if (stride == 1 && plan.modes[k].extent >= word / plan.bits)
      wide = k;
    else if (stride % word * plan.bits % word != 0)
      return -1;
  }
  return wide;
}
AXE_LAZY_FN constexpr bool is_narrow_transpose(copy_plan const& plan) {
  int const from = wide_mode(plan, copy_side::from);
  int const to = wide_mode(plan, copy_side::to);
  return has_narrow_accesses(plan) && from >= 0 && to >= 0 && from != to;
}
/// Rejects a slow transpose. A copy through a fragment would use vectors.
AXE_LAZY_FN constexpr refusal check_transpose(copy_plan const& plan) {
  bool const through_shared =
      (plan.from_space == memory_space::shared) != (plan.to_space == memory_space::shared);
  if (!through_shared || !is_narrow_transpose(plan)) return {};
  return {rule::copy_is_narrow_by_its_order, {plan.bytes}};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
