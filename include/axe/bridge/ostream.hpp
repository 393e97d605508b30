// SPDX-License-Identifier: MIT
// Streams a layout in another notation.
//
//     std::cout << axe::styled("S[(2,4):(4,1)]"_axe, axe::print_style::cute);      (4,2):(1,4)
#pragma once

#include <axe/bridge/print_style.hpp>

#include <ostream>
#include <sstream>
#include <stdexcept>

namespace axe {
inline namespace AXE_NAMESPACE {

struct styled_layout {
  layout const& of;
  print_style style;
};
/// The layout must outlive the result.
inline styled_layout styled(layout const& l, print_style style) { return {l, style}; }

namespace bridge {

struct stream_sink {
  std::ostream& out;

  void put(char c) { out.put(c); }
  void put(char const* text) { out << text; }
  void put(integer n) {
    text<24> digits;  // independent of the locale
    digits.put(n);
    out << digits.c_str();
  }
};

}  // namespace bridge

inline std::ostream& operator<<(std::ostream& out, styled_layout const& s) {
  std::ostringstream text;  // so that a stream's width applies to the whole layout
  bridge::stream_sink sink{text};
  detail::print_or_throw<std::invalid_argument>(sink, s.of, s.style);
  return out << text.str();
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
