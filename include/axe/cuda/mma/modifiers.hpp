// SPDX-License-Identifier: MIT
// The shape of an mma instruction as text for inline assembly, such as m16n8k16, and the check that
// the compiled architecture has the instruction.
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/assembly_text.hpp>
#include <axe/plan/mma_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr modifier_text shape_text(mma_instruction const& i) {
  modifier_text text;
  return text.put("m").put(i.m).put("n").put(i.n).put("k").put(i.k);
}

template <mma_instruction Op, mma_types T> struct mma_check {
  AXE_FN static constexpr refusal why() { return check_mma(Op, T, compiled_architecture()); }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
