// Prints a plan of a matrix product for people.
//
//     wgmma.m64n256k16: bf16 by bf16 into f32, 1 along M, 1 along N, 4 along K
//       A: shared memory, K adjacent, swizzle of 128 bytes, leading 16, stride 1024; …
//       C: registers, from element 0
//       declined tcgen05.mma.m64n256k16: …
//
// `about` has the operands of plan_mma, for the sentences.
#pragma once

#include <axe/plan/plan_mma.hpp>
#include <axe/plan/print/print_declined.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <class Out> AXE_FN constexpr void print(Out& out, mma_instruction const& i) {
  out.put(name_of(i.kind));
  out.put(".m");
  out.put(integer{i.m});
  out.put("n");
  out.put(integer{i.n});
  out.put("k");
  out.put(integer{i.k});
}

template <class Out> AXE_FN constexpr void print(Out& out, mma_types const& t) {
  out.put(name_of(t.a));
  out.put(" by ");
  out.put(name_of(t.b));
  out.put(" into ");
  out.put(name_of(t.sum));
}

namespace detail {
/// The start of each repetition: one number, or all digits.
template <class Out> AXE_FN constexpr void print_begins(Out& out, layout l, axis on) {
  l.blocks.clear();
  if (l.shards.empty())
    out.put(l.offset(on));
  else
    print(out, l);
}
}  // namespace detail

/// The fields of the descriptors of an operand in shared memory.
template <class Out> AXE_FN constexpr void print(Out& out, shared_operand_plan const& p) {
  out.put("shared memory, ");
  out.put(p.direction == operand_major::k ? "K" : "rows");
  out.put(" adjacent, ");
  if (p.mode == swizzle_mode::none) {
    out.put("no swizzle");
  } else {
    out.put("swizzle of ");
    out.put(static_cast<integer>(p.mode));
    out.put(" bytes");
  }
  out.put(", leading ");
  out.put(p.leading);
  out.put(", stride ");
  out.put(p.stride);
  out.put("; begins at multiples of ");
  out.put(p.alignment);
  out.put("; ");
  out.put(p.blocks);
  out.put(" x ");
  out.put(p.k_steps);
  out.put(" instructions (rows, K) from byte ");
  detail::print_begins(out, p.starts, axis::m);
}

namespace detail {

template <class Out>
AXE_FN constexpr void print_operand(Out& out, char const* name, memory_space space,
                                    layout const& where, shared_operand_plan const& shared) {
  out.put("  ");
  out.put(name);
  out.put(": ");
  if (space == memory_space::shared) {
    print(out, shared);
  } else {
    out.put(space == memory_space::tensor ? "tensor memory, from column "
                                          : "registers, from element ");
    print_begins(out, where, space == memory_space::tensor ? axis::TCol : axis::reg);
  }
  out.put('\n');
}

}  // namespace detail

template <class Out>
AXE_FN constexpr void print(Out& out, mma_plan const& p, operands const& about = {}) {
  print(out, p.instruction);
  out.put(": ");
  print(out, p.types);
  out.put(", ");
  out.put(p.m_steps);
  out.put(" along M, ");
  out.put(p.n_steps);
  out.put(" along N, ");
  out.put(p.k_steps);
  out.put(" along K\n");
  detail::print_operand(out, "A", p.a_space, p.a, p.a_shared);
  detail::print_operand(out, "B", p.b_space, p.b, p.b_shared);
  detail::print_operand(
      out, "C",
      p.instruction.kind == mma_kind::tcgen05 ? memory_space::tensor : memory_space::registers, p.c,
      {});
  detail::print_declined(out, p.candidates, about);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
