// SPDX-License-Identifier: MIT
// Text for inline assembly, computed by a constant expression.
//
//     asm("mma.sync.aligned.%0 …" : … : "C"(detail::assembly_text<mma_name(Op, T)>::value));
//
// Source: "Inline PTX Assembly in CUDA", constraint "C".
#pragma once

#include <axe/base/integers.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct modifier_text {
  char characters[64]{};
  int length = 0;

  constexpr modifier_text() = default;
  AXE_FN constexpr modifier_text(char const* from) { put(from); }
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

template <modifier_text Text, class Positions = integers_to<Text.length>> struct assembly_text;
template <modifier_text Text, int... P> struct assembly_text<Text, integers<P...>> {
  static constexpr char value[] = {Text.characters[P]..., '\0'};
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
