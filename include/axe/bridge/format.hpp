// SPDX-License-Identifier: MIT
// std::format of layouts, shapes, coordinates, places, sets of places and axes.
//
//     std::format("{:cute}", "S[(2,4):(4,1)]"_axe)             (4,2):(1,4)
//
// Empty without std::format, for example with g++ 12.
#pragma once

#include <version>

#ifdef __cpp_lib_format

#include <axe/bridge/print_style.hpp>

#include <format>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace bridge {

template <class Iterator> struct format_sink {
  Iterator out;

  void put(char c) { *out++ = c; }
  void put(char const* text) {
    for (; *text != '\0'; ++text) put(*text);
  }
  void put(integer n) { out = std::format_to(out, "{}", n); }
};

}  // namespace bridge
}  // namespace AXE_NAMESPACE
}  // namespace axe

template <class T>
  requires axe::detail::is_printable<T>
struct std::formatter<T, char> {
  axe::print_style style{};

  constexpr auto parse(std::format_parse_context& context) {
    auto at = context.begin();
    if (!axe::detail::read_style<T>(at, context.end(), style))
      axe::detail::throw_words<std::format_error>(axe::detail::style_mistake);
    return at;
  }
  template <class Context> auto format(T const& value, Context& context) const {
    axe::bridge::format_sink<decltype(context.out())> sink{context.out()};
    axe::detail::print_or_throw<std::format_error>(sink, value, style);
    return sink.out;
  }
};

#endif
