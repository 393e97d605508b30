// SPDX-License-Identifier: MIT
// Pictures of layouts as SVG text.
//
//     std::string svg = axe::draw("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4}, {.name = "a fragment"});
//
// Host code only. Guide: docs/guides/drawing.md.
#pragma once

#include <axe/draw/difference.hpp>
#include <axe/draw/picture.hpp>
#include <axe/draw/svg_picture.hpp>
#include <axe/draw/text_picture.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

inline std::string draw(layout const& l, shape const& s, draw_options const& options = {}) {
  return drawing::svg_of(l, s, options);
}

inline std::string draw_difference(layout const& a, layout const& b, shape const& s) {
  return drawing::svg_picture(drawing::difference_picture(a, b, s));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
