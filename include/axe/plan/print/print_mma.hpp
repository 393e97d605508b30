// SPDX-License-Identifier: MIT
// Prints a plan of a matrix product.
//
//     wgmma.m64n256k16: bf16 by bf16 into f32, 1 along M, …
#pragma once

#include <axe/plan/plan_mma.hpp>
#include <axe/plan/print/print_declined.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr void print(auto& out, mma_instruction const& i) {
  detail::print_all(out, i.kind, i.ctas == 2 ? ".cta_group::2.m" : ".m", i.m, 'n', i.n, 'k', i.k);
}

AXE_FN constexpr void print(auto& out, mma_types const& t) {
  detail::print_all(out, t.a, " by ", t.b, " into ", t.sum);
}

namespace detail {
AXE_FN constexpr void print_starts(auto& out, layout l, axis on) {
  l.blocks.clear();
  if (l.shards.count == 0)
    out.put(l.offset(on));
  else
    print(out, l);
}
}  // namespace detail

AXE_FN constexpr void print(auto& out, shared_operand_plan const& p) {
  detail::print_all(out, "shared memory, ", p.major == operand_major::k ? "K" : "rows",
                    " adjacent, ", p.mode, ", leading ", p.leading, " bytes, stride ", p.stride,
                    " bytes; begins at multiples of ", p.alignment, " bytes; ", p.blocks, " x ",
                    p.k_steps, " instructions (rows, K) from byte ");
  detail::print_starts(out, p.starts, axis::m);
}

namespace detail {

AXE_FN constexpr void print_operand(auto& out, char const* name, memory_space space,
                                    layout const& where, shared_operand_plan const& shared) {
  print_all(out, "  ", name, ": ");
  bool const tensor = space == memory_space::tensor;
  if (space == memory_space::shared) {
    print(out, shared);
  } else {
    out.put(tensor ? "tensor memory, from column " : "registers, from element ");
    print_starts(out, where, tensor ? axis::TCol : axis::reg);
  }
  out.put('\n');
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, mma_plan const& p, operands const& about = {}) {
  using namespace detail;
  print_all(out, p.instruction, ": ", p.types, ", ", p.m_steps, " along M, ", p.n_steps,
            " along N, ", p.k_steps, " along K\n");
  print_operand(out, "A", p.a_space, p.a, p.a_shared);
  print_operand(out, "B", p.b_space, p.b, p.b_shared);
  print_operand(
      out, "C",
      p.instruction.kind == mma_kind::tcgen05 ? memory_space::tensor : memory_space::registers, p.c,
      {});
  print_declined(out, p.candidates, about);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
