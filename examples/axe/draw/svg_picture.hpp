// A picture as one SVG file: title, facts, legend, views; its style reads in the light and in the
// dark.
//
//     std::string file = svg_picture(make_picture(tile, {8, 16}, {}));
//
// The colours are style rules, given twice: the second time under `prefers-color-scheme: dark`. A
// renderer without media queries (librsvg) shows the light ones.
#pragma once

#include "picture.hpp"

namespace draw {

std::string svg_picture(picture const& p);

/// No file is larger: where a picture would be, it shows less, and says so.
inline constexpr std::size_t most_bytes = 3'000'000;

std::string svg_of(axe::layout const& l, axe::shape const& s, request asked);

}  // namespace draw
