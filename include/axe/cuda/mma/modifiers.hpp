// SPDX-License-Identifier: MIT
// Text for inline assembly, computed by a constant expression; and the check that the compiled
// architecture has an mma instruction.
//
//     asm("mma.sync.aligned.%0 …" : … : "C"(detail::assembly_text<shape_text(Op)>::value));
//
// Constraint "C" requires a static array of char, which is not a member of an object.
// Source: "Inline PTX Assembly in CUDA", constraint "C".
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/plan/mma_instruction.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct modifier_text {
  char characters[64]{};
  int length = 0;

  AXE_FN constexpr modifier_text& put(char const* from) {
    for (; *from != '\0'; ++from) characters[length++] = *from;
    return *this;
  }
  AXE_FN constexpr modifier_text& put(int n) {
    if (n >= 10) put(n / 10);
    characters[length++] = static_cast<char>('0' + n % 10);
    return *this;
  }
};

AXE_FN constexpr modifier_text shape_text(mma_instruction const& i) {
  modifier_text text;
  return text.put("m").put(i.m).put("n").put(i.n).put("k").put(i.k);
}

template <modifier_text Text, class Positions = integers_to<Text.length>> struct assembly_text;
template <modifier_text Text, int... P> struct assembly_text<Text, integers<P...>> {
  static constexpr char value[] = {Text.characters[P]..., '\0'};
};

template <mma_instruction Op, mma_types T> struct mma_check {
  AXE_FN static constexpr refusal why() { return check_mma(Op, T, compiled_architecture()); }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
