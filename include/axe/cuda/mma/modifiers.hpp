// SPDX-License-Identifier: MIT
// The PTX modifiers of an mma instruction, and the check that the target has it.
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/assembly_text.hpp>
#include <axe/plan/mma_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Example: m16n8k16.row.col.f32.bf16.bf16.f32.
AXE_FN constexpr modifier_text mma_name(mma_instruction const& op, mma_types const& t) {
  bool const sync = op.kind == mma_kind::mma_sync;
  modifier_text out = modifier_text("m").put(op.m).put("n").put(op.n).put("k").put(op.k);
  if (sync) out.put(".row.col");
  out.put(".").put(name_of(t.sum)).put(".").put(name_of(t.a)).put(".").put(name_of(t.b));
  if (sync) out.put(".").put(name_of(t.sum));
  if (t.a == element_type::b1) out.put(".and.popc");
  return out;
}

template <mma_instruction Op, mma_types T> struct mma_check {
  AXE_FN static constexpr refusal why() { return check_mma(Op, T, compiled_architecture()); }
};

template <bool Passed> struct mma_kind_check {
  static constexpr bool passed = Passed;
  static_assert(Passed,
                "mma_sync takes an instruction of mma_kind::mma_sync, and wgmma one of "
                "mma_kind::wgmma");
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
