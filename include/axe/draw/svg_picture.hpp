// SPDX-License-Identifier: MIT
// A picture as one SVG file: title, facts, legend, views.
#pragma once

#include <axe/draw/page.hpp>
#include <axe/draw/picture.hpp>
#include <axe/draw/svg_grid.hpp>
#include <axe/draw/svg_legend.hpp>
#include <axe/draw/svg_style.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

/// A picture of more bytes is drawn again with fewer cells.
inline constexpr std::size_t most_bytes = 3'000'000;

inline constexpr double margin = 20;

inline std::vector<std::string> wrapped(std::string const& text, double width) {
  auto const room =
      static_cast<std::size_t>(std::max(20.0, width / (font::layout * font::mono_advance)));
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.find_first_of(",\n ", start);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string const word = text.substr(start, end - start);
    if (!lines.back().empty() && lines.back().size() + word.size() > room)
      lines.emplace_back("    ");
    lines.back() += word;
    if (lines.back().back() == '\n') {
      lines.back().pop_back();
      lines.emplace_back();
    }
    start = end;
  }
  return lines;
}

inline double head_height(picture const& p, bool named, double inside) {
  auto const lines = static_cast<double>(wrapped(p.layout_text, inside).size());
  auto const colors = static_cast<double>(p.scale.few() ? p.scale.values().size() : 2);
  return margin + (named ? 24 : 0) + 21 * lines + 26 +
         20 * std::ceil((colors + static_cast<double>(p.legend.size()) + 2) / 6) + 14;
}

inline std::string svg_file(picture const& p, std::string const& name, svg_writer const& body,
                            double width, double height) {
  std::string const w = svg_writer::number(width), h = svg_writer::number(height);
  svg_writer out;
  out.raw(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "role=\"img\" "
      "width=\"" +
      w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\">\n");
  out.raw("<title>" + svg_writer::escaped((name.empty() ? "" : name + ": ") + p.layout_text) +
          "</title>\n");
  out.raw("<desc>" + svg_writer::escaped(p.summary) + "</desc>\n");
  out.raw(style(palette(p.scale.classes(), p.scale.few())));
  out.raw(
      "<defs><pattern id=\"replica\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\">"
      "<path class=\"hatch\" d=\"M0 0v6\"/></pattern></defs>\n");
  out.rect(0, 0, width, height, "page");
  out.raw(body.str());
  out.raw("</svg>\n");
  return out.str();
}

inline std::string svg_picture(picture const& p, draw_options const& options = {}) {
  check_size(options);
  std::string const& name = options.name;
  double const room = options.width - 2 * margin;
  page const arranged = arrange_page(
      p, room, options.height - margin - head_height(p, !name.empty(), std::min(room, 720.0)));
  double const inside =
      std::max({arranged.width, std::min(mono_width(p.layout_text, font::layout), 720.0),
                std::min(sans_width(p.summary, font::small), 720.0), 360.0});

  svg_writer body;
  double y = margin;
  if (!name.empty()) body.text(margin, (y += 24) - 8, "name", name);
  for (std::string const& line : wrapped(p.layout_text, inside))
    body.text(margin, (y += 21) - 6, "title", line);
  for (std::string const& line : wrapped_words(p.summary, inside, font::small))
    body.text(margin, (y += 18) - 4, "quiet", line);
  y += 8;
  legend items(body, margin, y, inside);
  if (!p.scale.empty()) legend_colors(body, items, p);
  legend_marks(body, items, p, arranged);
  y = items.bottom() + 14;
  for (placed_view const& v : arranged.views) write_view(body, p, v, margin + v.x, y + v.y);
  return svg_file(p, name, body, std::ceil(inside + 2 * margin),
                  std::ceil(y + arranged.height + margin));
}

inline std::string svg_of(layout const& l, shape const& s, draw_options options) {
  for (;; options.cells /= 2) {
    std::string svg = svg_picture(make_picture(l, s, options), options);
    if (svg.size() <= most_bytes || options.cells <= 1'024) return svg;
  }
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
