// SPDX-License-Identifier: MIT
// tensor_text, hardware_text, bank_text, difference_text: a layout as grids of text.
//
//     tensor_text("S[(2,2):(1@lane,1@reg)]"_axe, {2, 2})      i   0   1  j
//                                                             0 0/0 0/1
//                                                             1 1/0 1/1
//
// Throws `refused` if the layout does not have the shape.
#pragma once

#include <axe/draw/cells.hpp>
#include <axe/draw/difference.hpp>
#include <axe/draw/palette.hpp>
#include <axe/draw/picture.hpp>

#include <algorithm>
#include <string>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct text_options {
  bool ansi = false;
  int width = 160;  // characters in a line
  int rows = 64;
  int grids = 64;
  // As in draw_options.
  color_key color;
  integer row = 0;
};

inline std::string right_aligned(std::string const& text, std::size_t width) {
  std::size_t const there = characters(text);
  return there < width ? std::string(width - there, ' ') + text : text;
}

inline std::string text_of_cell(cell const& c) {
  if (c.kind == cell::outside) return "";
  if (c.kind == cell::empty) return ".";
  return listed(c.words, "/") + (c.replica ? "'" : "");
}

inline std::string text_of_difference(cell const& c) {
  if (c.kind == cell::outside) return "";
  return c.marked && c.words.size() == 2 ? c.words[0] + "|" + c.words[1] : "=";
}

inline constexpr std::size_t most_blocks = 3;

struct printer {
  text_options const& options;
  color_scale const& scale;
  palette colors;
  std::string (*text)(cell const&);

  printer(text_options const& o, color_scale const& s, std::string (*t)(cell const&))
      : options(o), scale(s), colors(s.classes(), s.few()), text(t) {}

  std::string painted(cell const& c, std::string const& padded) const {
    if (!options.ansi || c.kind != cell::held || scale.empty()) return padded;
    rgb const fill = colors.light[static_cast<std::size_t>(scale.class_of(c.color))];
    return "\x1b[38;2;20;24;32m\x1b[48;2;" + std::to_string(fill.r) + ";" + std::to_string(fill.g) +
           ";" + std::to_string(fill.b) + "m" + padded + "\x1b[0m";
  }

  struct block {
    integer from = 0;
    std::vector<std::size_t> widths;
  };

  std::vector<block> blocks_of(grid const& g, integer rows, std::size_t names) const {
    std::size_t const room = static_cast<std::size_t>(std::max(options.width, 20)) - 3;
    std::vector<std::size_t> widths;
    for (integer c = 0; c < g.columns; ++c) {
      widths.push_back(characters(g.column_names[static_cast<std::size_t>(c)]));
      for (integer r = 0; r < rows; ++r)
        widths.back() = std::max(widths.back(), characters(text(g.at(r, c))));
    }
    std::vector<block> blocks;
    for (std::size_t from = 0; from < widths.size();) {
      std::size_t to = from + 1;
      for (std::size_t total = names + widths[from] + 1; to < widths.size(); ++to)
        if ((total += widths[to] + 1) > room) break;
      if (to < widths.size() && to - from > 8) to -= (to - from) % 8;
      auto const at = [&](std::size_t c) {
        return widths.begin() + static_cast<std::ptrdiff_t>(c);
      };
      blocks.push_back({static_cast<integer>(from), {at(from), at(to)}});
      from = to;
    }
    return blocks;
  }

  void print(std::string& out, view const& v, grid const& g, block const& b, integer rows,
             std::size_t names) const {
    auto const from = static_cast<std::size_t>(b.from);
    out += joined("  ", right_aligned(v.rows_are, names));
    for (std::size_t c = 0; c < b.widths.size(); ++c)
      out += joined(" ", right_aligned(g.column_names[from + c], b.widths[c]));
    out += joined(v.columns_are.empty() ? "" : "  ", v.columns_are, "\n");
    for (integer r = 0; r < rows; ++r) {
      std::string line =
          joined("  ", right_aligned(g.row_names[static_cast<std::size_t>(r)], names));
      for (std::size_t c = 0; c < b.widths.size(); ++c) {
        cell const& here = g.at(r, static_cast<integer>(from + c));
        line += joined(" ", painted(here, right_aligned(text(here), b.widths[c])));
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }

  void print(std::string& out, view const& v, grid const& g) const {
    integer const rows = std::min<integer>(g.rows, std::max(1, options.rows));
    std::size_t names = std::max(characters(v.rows_are), std::size_t{1});
    for (std::string const& name : g.row_names) names = std::max(names, characters(name));
    if (!g.title.empty()) out += joined("  ", g.title, "\n");
    if (std::none_of(g.cells.begin(), g.cells.end(),
                     [](cell const& c) { return c.kind == cell::held; }))
      return;  // the title says that the owner holds nothing
    std::vector<block> blocks = blocks_of(g, rows, names);
    if (blocks.size() > most_blocks) blocks.resize(1);
    integer columns = 0;
    for (block const& b : blocks) {
      print(out, v, g, b, rows, names);
      columns += static_cast<integer>(b.widths.size());
    }
    if (rows < g.rows || columns < g.columns)
      out += joined("  (printed: ", rows, " of ", g.rows, " rows, ", columns, " of ", g.columns,
                    " columns)\n");
  }

  std::string print(view const& v, std::string const& cells_are) const {
    std::string out = v.heading + cells_are + "\n";
    std::size_t const shown =
        std::min(v.grids.size(), static_cast<std::size_t>(std::max(1, options.grids)));
    for (std::size_t g = 0; g < shown; ++g) print(out, v, v.grids[g]);
    if (shown < v.grids.size())
      out += "  (printed: " + std::to_string(shown) + " of " + std::to_string(v.grids.size()) +
             " grids)\n";
    for (std::string const& note : v.notes) out += "  (" + note + ")\n";
    return out;
  }
};

inline std::string units_text(view const& v) {
  std::string const units = listed(v.units, "/");
  return units.empty() ? "" : "; each cell: " + units;
}

inline std::string view_text(layout const& l, shape const& s, draw_options const& picture_options,
                             text_options const& options) {
  picture const p = make_picture(l, s, picture_options);
  view const& v = p.views[0];
  std::string const cells_are = picture_options.view == draw_view::tensor ? units_text(v) : "";
  std::string out = printer(options, p.scale, text_of_cell).print(v, cells_are);
  if (v.has_replicas) out += "  (' marks a replica: the first place of the element is elsewhere)\n";
  return out;
}

/// A cell has the positions of an element, such as 6,10 for two replicas.
inline std::string tensor_text(layout const& l, shape const& s, text_options const& options = {}) {
  return view_text(l, s, {.view = draw_view::tensor, .color = options.color}, options);
}

/// `.` is a place without an element.
inline std::string hardware_text(layout const& l, shape const& s,
                                 text_options const& options = {}) {
  return view_text(l, s, {.view = draw_view::hardware, .color = options.color, .row = options.row},
                   options);
}

inline std::string bank_text(layout const& l, shape const& s, int bits,
                             text_options const& options = {}) {
  return view_text(l, s, {.view = draw_view::banks, .bits = bits}, options);
}

/// `a|b` where the places of an element differ, else `=`, and the number of differences.
inline std::string difference_text(layout const& a, layout const& b, shape const& s,
                                   text_options const& options = {}) {
  picture const p = difference_picture(a, b, s);
  color_scale scale;
  return printer(options, scale, text_of_difference)
             .print(p.views[0], "; a|b where they do, = where they do not") +
         p.summary + "\n";
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
