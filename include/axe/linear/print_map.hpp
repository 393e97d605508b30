// SPDX-License-Identifier: MIT
// Prints a linear map as linear/read_map.hpp reads it.
#pragma once

#include <axe/linear/linear_map.hpp>
#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr void print_components(auto& out, linear_axes const& side, bit_word word) {
  out.put('(');
  for (int i = 0; i < side.axes.size(); ++i)
    print_all(out, i > 0 ? "," : "", static_cast<integer>(side.on(side.axes[i].on, word)));
  out.put(')');
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, linear_map const& m) {
  using namespace detail;
  out.put('{');
  int c = 0;
  for (int i = 0; i < m.in.axes.size(); ++i) {
    print_all(out, i > 0 ? "; " : "", m.in.axes[i].on, ':');
    for (int k = 0; k < m.in.axes[i].bits; ++k) {
      print_all(out, k == 0 ? " " : ", ", integer{1} << k, " -> ");
      print_components(out, m.out, m.matrix.column[c++]);
    }
  }
  out.put("} to (");
  for (int i = 0; i < m.out.axes.size(); ++i)
    print_all(out, i > 0 ? ", " : "", m.out.axes[i].on, ": ", integer{1} << m.out.axes[i].bits);
  out.put(')');
  if (m.offset == 0) return;
  out.put(" ^ ");
  print_components(out, m.out, m.offset);
}

AXE_FN constexpr text<8191> to_text(linear_map const& m) {
  text<8191> out;
  print(out, m);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
