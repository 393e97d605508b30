// SPDX-License-Identifier: MIT
// Styles of a printed layout, for fmt, std::format and streams.
//
//     {}        S[((2),(4)):((4),(1))]                 {:cute}    (4,2):(1,4)
//     {:tirx}   T.TileLayout(T.S[(2, 4):(4, 1)])       {:grid}    0 1 2 3
//                                                                 4 5 6 7
//
// A row of {:grid} is the last dimension of a grouped layout.
#pragma once

#include <axe/bridge/tirx.hpp>
#include <axe/cute/convert.hpp>
#include <axe/cute/notation.hpp>
#include <axe/map/places.hpp>
#include <axe/sentence/stop.hpp>

#include <type_traits>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class print_style { axe, cute, tirx, grid };

namespace detail {

template <class T>
inline constexpr bool is_printable =
    std::is_same_v<T, layout> || std::is_same_v<T, shape> || std::is_same_v<T, coordinate> ||
    std::is_same_v<T, place> || std::is_same_v<T, placement> || std::is_same_v<T, axis>;

inline constexpr char const* style_mistake =
    "axe: the format of a layout is {}, {:cute}, {:tirx} or {:grid}";

template <class T, class Iterator>
constexpr bool read_style(Iterator& at, Iterator end, print_style& style) {
  constexpr char const* names[] = {"", "cute", "tirx", "grid"};
  for (int k = 0; k < (std::is_same_v<T, layout> ? 4 : 1); ++k) {
    Iterator i = at;
    char const* name = names[k];
    for (; i != end && *i == *name && *name != '\0'; ++i) ++name;
    if (*name != '\0' || (i != end && *i != '}')) continue;
    at = i;
    style = static_cast<print_style>(k);
    return true;
  }
  return false;
}

}  // namespace detail

namespace bridge {

/// Not in `detail`: for a type there, argument-dependent lookup would find detail's functions.
struct width_of_text {
  int characters = 0;

  constexpr void put(char) { ++characters; }
  constexpr void put(char const* words) {
    for (; *words != '\0'; ++words) ++characters;
  }
  constexpr void put(integer n) {
    characters += n < 0;
    do ++characters;
    while ((n /= 10) != 0);
  }
};

}  // namespace bridge

namespace detail {

constexpr void print_cell(auto& out, placement const& of) {
  bool const several = of.size() > 1;
  bool const memory = of.base.terms.count == 1 && of.names(axis::m);
  if (several && !memory) return print(out, of);
  if (several) out.put('{');
  bool first = true;
  for (place const& p : of) {
    if (!first) out.put(',');
    first = false;
    if (memory)
      out.put(p[axis::m]);
    else
      print(out, p);
  }
  if (several) out.put('}');
}

constexpr void print_grid(auto& out, layout const& l) {
  integer const size = product_of_extents(l.shards);
  integer columns = size;
  if (l.grouped()) {
    columns = 1;
    for (int k = 0; k < l.blocks[l.blocks.size() - 1]; ++k)
      columns *= l.shards[l.shards.size() - 1 - k].extent;
  }
  int widest = 0;
  for (integer x = 0; x < size; ++x) {
    bridge::width_of_text cell;
    print_cell(cell, places(l, x));
    if (cell.characters > widest) widest = cell.characters;
  }
  for (integer x = 0; x < size; ++x) {
    placement const at = places(l, x);
    bridge::width_of_text cell;
    print_cell(cell, at);
    if (x > 0) out.put(x % columns == 0 ? '\n' : ' ');
    for (int k = cell.characters; k < widest; ++k) out.put(' ');
    print_cell(out, at);
  }
}

}  // namespace detail

/// Style `grid` rejects invalid layouts, style `cute` layouts that are not CuTe's.
constexpr refusal try_print(auto& out, layout const& l, print_style style) {
  if (style == print_style::axe) print(out, l);
  if (style == print_style::tirx) print_tirx(out, l);
  if (style == print_style::grid) {
    if (refusal const bad = check(l)) return bad;
    detail::print_grid(out, l);
  }
  if (style == print_style::cute) {
    outcome<cute::layout> const theirs = cute::try_from_axe(l);
    if (theirs.why) return theirs.why;
    cute::print(out, *theirs);
  }
  return {};
}

namespace detail {

/// Stops the program if exceptions are disabled.
template <class Error> [[noreturn]] void throw_words(char const* words) {
#if AXE_EXCEPTIONS
  throw Error(words);
#else
  on_refusal(words);
  halt();
#endif
}

template <class Error, class Out, class T>
constexpr void print_or_throw(Out& out, T const& value, print_style style) {
  if constexpr (std::is_same_v<T, layout>) {
    if (refusal const bad = try_print(out, value, style))
      throw_words<Error>(sentence(bad, {&value}).c_str());
  } else {
    print(out, value);
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
