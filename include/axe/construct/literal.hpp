// SPDX-License-Identifier: MIT
// A layout from its notation: "S[(8,4):(4@lane,1@lane)]"_axe, or parse(text) at run time.
//
//     layout const l = parse(argv[1]);            try_parse returns the refusal instead of stopping
//
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/notation/read.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr layout parse(detail::source_text const& text, declared_axes known = {}) {
  auto const result = try_parse(text, known);
  if (!result) {
    layout const l = detail::layout_so_far(text, known);
    // Not {&l}, whose braces nvcc drops in host code of CUDA Tile C++.
    detail::stop_on(result.why, "parse", operands{&l});
  }
  return result.value;
}

/// Parses layouts with up to 16 declared axes. After `constexpr notation mesh{mesh_x, mesh_y};`
/// write `mesh("S[(2,4):(4@mesh_y,1@mesh_x)]")`.
struct notation {
  axis_list axes;

  AXE_FN constexpr notation(initializer_list<axis> declared) : axes(declared) {}
  AXE_LAZY_FN constexpr layout operator()(char const* characters) const {
    return parse(characters, {axes.begin(), axes.size()});
  }
};

namespace detail {

template <unsigned Size> struct literal {
  char characters[Size]{};
  static constexpr int length = static_cast<int>(Size) - 1;

  AXE_FN consteval literal(char const (&from)[Size]) {
    for (unsigned i = 0; i < Size; ++i) characters[i] = from[i];
  }
};

template <literal Text> struct read_literal {
  static constexpr outcome<layout> result = try_parse({Text.characters, Text.length});

  AXE_FN static constexpr refusal_text text() {
    refusal_text out;
    print_all(out, '"', Text.characters, "\": ");
    layout const l = layout_so_far({Text.characters, Text.length}, {});
    print(out, result.why, {&l});
    return out;
  }
};

}  // namespace detail

namespace literals {

template <detail::literal Text> AXE_FN consteval layout operator""_axe() {
  using source = detail::read_literal<Text>;
  using stop [[maybe_unused]] = detail::verdict<source>::stop;
  return source::result.value;
}

}  // namespace literals

}  // namespace AXE_NAMESPACE
}  // namespace axe
