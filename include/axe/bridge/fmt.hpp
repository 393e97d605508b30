// fmt formatters for layouts, shapes, coordinates, places, sets of places and axes.
//
//     fmt::format("{}", "S[(8,4):(4@lane,1@lane)]"_axe) == "S[(8,4):(4@lane,1@lane)]"
//
// They print the notation and accept no format specification. fmt 9 and later. Limit: nvcc with
// g++ 12 does not compile fmt 9.1 itself in C++20.
#pragma once

#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>

#include <fmt/format.h>

#include <type_traits>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Writes to a format context.
template <class Iterator> struct format_sink {
  Iterator out;

  void put(char c) { *out++ = c; }
  void put(char const* text) {
    for (; *text != '\0'; ++text) put(*text);
  }
  void put(integer n) { out = fmt::format_to(out, "{}", n); }
};

template <class T>
inline constexpr bool is_printable =
    std::is_same_v<T, layout> || std::is_same_v<T, shape> || std::is_same_v<T, coordinate> ||
    std::is_same_v<T, place> || std::is_same_v<T, placement> || std::is_same_v<T, axis>;

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

template <class T> struct fmt::formatter<T, char, std::enable_if_t<axe::detail::is_printable<T>>> {
  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    if (at != context.end() && *at != '}')
      FMT_THROW(fmt::format_error("axe: layouts take no format specification"));
    return at;
  }
  template <class Context> auto format(T const& value, Context& context) const {
    axe::detail::format_sink<decltype(context.out())> sink{context.out()};
    axe::print(sink, value);
    return sink.out;
  }
};
