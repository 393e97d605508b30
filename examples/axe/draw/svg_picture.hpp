// A picture as one SVG file: title, facts, legend, views.
//
//     std::string file = svg_picture(make_picture(tile, {8, 16}, {}));
//
// The style has light and dark colours. Renderers without media queries (librsvg) use the light.
#pragma once

#include "picture.hpp"

namespace draw {

std::string svg_picture(picture const& p);

/// The largest file. A larger picture shows less and says so.
inline constexpr std::size_t most_bytes = 3'000'000;

std::string svg_of(axe::layout const& l, axe::shape const& s, request asked);

}  // namespace draw
