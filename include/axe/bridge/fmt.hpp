// SPDX-License-Identifier: MIT
// fmt formatters for layouts, shapes, coordinates, places, sets of places and axes.
//
//     fmt::format("{:cute}", "S[(2,4):(4,1)]"_axe)             (4,2):(1,4); styles: print_style.hpp
//
// Needs fmt 9 or later. nvcc with g++ 12 cannot compile fmt 9.1 as C++20.
#pragma once

#include <axe/bridge/print_style.hpp>

#include <fmt/format.h>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace bridge {

template <class Iterator> struct fmt_sink {
  Iterator out;

  void put(char c) { *out++ = c; }
  void put(char const* text) {
    for (; *text != '\0'; ++text) put(*text);
  }
  void put(integer n) { out = fmt::format_to(out, "{}", n); }
};

template <class T> struct fmt_formatter {
  print_style style{};

  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    if (!detail::read_style<T>(at, context.end(), style))
      FMT_THROW(fmt::format_error(detail::style_mistake));
    return at;
  }
  template <class Context> auto format(T const& value, Context& context) const {
    fmt_sink<decltype(context.out())> sink{context.out()};
    detail::print_or_throw<fmt::format_error>(sink, value, style);
    return sink.out;
  }
};

}  // namespace bridge
}  // namespace AXE_NAMESPACE
}  // namespace axe

// Full specialisations: for a placement, a partial one is ambiguous with that of fmt/ranges.h.
template <> struct fmt::formatter<axe::layout> : axe::bridge::fmt_formatter<axe::layout> {};
template <> struct fmt::formatter<axe::shape> : axe::bridge::fmt_formatter<axe::shape> {};
template <> struct fmt::formatter<axe::coordinate> : axe::bridge::fmt_formatter<axe::coordinate> {};
template <> struct fmt::formatter<axe::place> : axe::bridge::fmt_formatter<axe::place> {};
template <> struct fmt::formatter<axe::placement> : axe::bridge::fmt_formatter<axe::placement> {};
template <> struct fmt::formatter<axe::axis> : axe::bridge::fmt_formatter<axe::axis> {};
