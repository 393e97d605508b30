// SPDX-License-Identifier: MIT
// Prints the candidates that a plan declined.
//
//     declined ldmatrix.x4: ldmatrix and stmatrix need rows at multiples of 16 bytes, …
#pragma once

#include <axe/atoms/shared_layout.hpp>
#include <axe/plan/candidate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr void print(auto& out, swizzle_mode mode) {
  if (mode == swizzle_mode::none) return out.put("no swizzle");
  detail::print_all(out, "swizzle of ", static_cast<integer>(mode), " bytes");
}

namespace detail {

AXE_FN constexpr void print_declined(auto& out, auto const& all, operands const& about) {
  for (auto const& c : all) {
    if (!c.why) continue;
    print_all(out, "  declined ", c.instruction, ": ");
    print(out, c.why, about);
    out.put('\n');
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
