// SPDX-License-Identifier: MIT
// fmt formatters for layouts, shapes, coordinates, places, sets of places and axes.
//
//     fmt::format("{}", "S[(8,4):(4@lane,1@lane)]"_axe) == "S[(8,4):(4@lane,1@lane)]"
//     fmt::format("{:cute}", "S[(2,4):(4,1)]"_axe)             (4,2):(1,4); styles: print_style.hpp
//
// It needs fmt 9 or later. nvcc with g++ 12 cannot compile fmt 9.1 as C++20.
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

}  // namespace bridge
}  // namespace AXE_NAMESPACE
}  // namespace axe

template <class T> struct fmt::formatter<T, char, std::enable_if_t<axe::detail::is_printable<T>>> {
  axe::print_style style{};

  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    if (!axe::detail::read_style<T>(at, context.end(), style))
      FMT_THROW(fmt::format_error(axe::detail::style_mistake));
    return at;
  }
  template <class Context> auto format(T const& value, Context& context) const {
    axe::bridge::fmt_sink<decltype(context.out())> sink{context.out()};
    axe::detail::print_or_throw<fmt::format_error>(sink, value, style);
    return sink.out;
  }
};
