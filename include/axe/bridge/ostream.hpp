// SPDX-License-Identifier: MIT
// operator<< for layouts, shapes, coordinates, places, sets of places and axes.
//
//     std::cout << "S[(8,4):(4@lane,1@lane)]"_axe;
//     std::cout << axe::as("S[(2,4):(4,1)]"_axe, axe::print_style::cute);      (4,2):(1,4)
#pragma once

#include <axe/bridge/print_style.hpp>

#include <ostream>
#include <stdexcept>
#include <string>

namespace axe {
inline namespace AXE_NAMESPACE {

struct styled_layout {
  layout const& of;
  print_style style;
};
inline styled_layout as(layout const& l, print_style style) { return {l, style}; }

namespace bridge {

/// Collects the text, because a stream's width applies to the whole.
struct string_sink {
  std::string all;

  void put(char c) { all += c; }
  void put(char const* text) { all += text; }
  void put(integer n) { all += std::to_string(n); }
};

}  // namespace bridge

template <class T>
  requires detail::is_printable<T>
std::ostream& operator<<(std::ostream& out, T const& value) {
  bridge::string_sink text;
  print(text, value);
  return out << text.all;
}
inline std::ostream& operator<<(std::ostream& out, styled_layout const& s) {
  bridge::string_sink text;
  detail::print_or_throw<std::invalid_argument>(text, s.of, s.style);
  return out << text.all;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
