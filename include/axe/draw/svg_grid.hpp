// SPDX-License-Identifier: MIT
// One view as SVG: heading, grids, numbers, cells and marks.
#pragma once

#include <axe/draw/page.hpp>
#include <axe/draw/svg_writer.hpp>

#include <algorithm>
#include <map>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline std::string class_of(picture const& p, cell const& c) {
  if (c.kind == cell::empty) return "e";
  if (c.marked) return "x";
  if (p.scale.empty() || c.plain) return "n";
  return joined("c", p.scale.class_of(c.color));
}

inline std::string value_name(picture const& p, integer value) {
  auto const found = p.scale.values().find(value);
  if (!p.colors_are.empty() && found != p.scale.values().end())
    return p.colors_are + " " + found->second;
  if (p.key.divide != 1 || p.key.modulo != 0 || found == p.scale.values().end())
    return joined(p.key.text(), " = ", value);
  return name_of_axis(p.key.on) + " " + found->second;
}

inline constexpr int most_block_names = 256;
inline constexpr int most_blocks_with_tooltip = 512;

struct point {
  double x = 0, y = 0;
};

inline void write_numbers(svg_writer& out, view const& v, grid const& g, measure const& m,
                          point const& body) {
  for (integer c = 0; c < g.columns; c += m.column_tick) {
    double const middle = m.column_tick == 1 ? 0.5 : 0;
    out.text(body.x + m.width_of(c) + middle * m.cell_width, body.y - 5,
             m.column_tick == 1 ? "tick mid" : "tick", g.column_names[static_cast<std::size_t>(c)]);
  }
  for (integer r = 0; r < g.rows; r += m.row_tick) {
    double const middle =
        m.row_tick == 1 ? m.height_of(r) + 0.5 * m.cell_height + 3 : m.height_of(r) + 8;
    out.text(body.x - 6, body.y + middle, "tick end", g.row_names[static_cast<std::size_t>(r)]);
  }
  if (!v.columns_are.empty())
    out.text(body.x + m.width_of(g.columns) + 6, body.y - 5, "caption", v.columns_are);
  if (!v.rows_are.empty() && m.left > 0)
    out.text(body.x - 6, body.y - 5, "caption end", v.rows_are);
}

inline std::string triangle(double x, double y, double size) {
  return joined("M", svg_writer::number(x - size), " ", svg_writer::number(y), "h",
                svg_writer::number(size), "v", svg_writer::number(size), "z");
}

inline std::string rectangle(double x, double y, double width, double height) {
  return joined("M", svg_writer::number(x), " ", svg_writer::number(y), "h",
                svg_writer::number(width), "v", svg_writer::number(height), "h",
                svg_writer::number(-width), "z");
}

inline void write_words(svg_writer& out, view const& v, cell const& c, measure const& m, double x,
                        double y) {
  bool const names = m.level == detail_level::names;
  double const line = font::line_height;
  double const first =
      y + (m.cell_height - line * static_cast<double>(c.words.size())) / 2 + line - 3;
  for (std::size_t i = 0; i < c.words.size(); ++i) {
    double const at = first + line * static_cast<double>(i);
    out.text(x + m.cell_width / 2, at, names ? "big" : "num", c.words[i],
             names && i < v.units.size() ? v.units[i] : "");
  }
}

inline void write_labelled(svg_writer& out, picture const& p, view const& v, grid const& g,
                           measure const& m, point const& body) {
  bool const several_is_normal =
      !v.has_replicas && !v.has_empty && !v.units.empty() && !v.units[0].empty();
  std::string corners;
  for (integer r = 0; r < g.rows; ++r)
    for (integer k = 0; k < g.columns; ++k) {
      cell const& c = g.at(r, k);
      if (c.kind == cell::outside) continue;
      double const x = body.x + m.width_of(k);
      double const y = body.y + m.height_of(r);
      out.rect(x + 0.5, y + 0.5, m.cell_width - 1, m.cell_height - 1, class_of(p, c) + " k",
               c.hint);
      if (c.replica) out.rect(x + 0.5, y + 0.5, m.cell_width - 1, m.cell_height - 1, "replica k");
      if (c.several) corners += triangle(x + m.cell_width - 1, y + 1, 6);
      write_words(out, v, c, m, x, y);
    }
  if (!corners.empty()) out.path(corners, several_is_normal ? "many" : "alert");
}

inline void write_runs(svg_writer& out, picture const& p, grid const& g, measure const& m,
                       point const& body) {
  std::map<std::string, std::string> fills;
  std::string replicas;
  std::string contested;
  for (integer r = 0; r < g.rows; ++r)
    for (integer k = 0; k < g.columns;) {
      cell const& c = g.at(r, k);
      std::string const fill = c.kind == cell::outside ? "" : class_of(p, c);
      integer last = k + 1;
      while (last < g.columns) {
        cell const& next = g.at(r, last);
        if ((next.kind == cell::outside ? "" : class_of(p, next)) != fill ||
            next.replica != c.replica || next.several != c.several)
          break;
        ++last;
      }
      std::string const run = joined("M", k, " ", r, "h", last - k);
      if (!fill.empty()) fills[fill] += run;
      if (c.replica)  // in pixels: a hatch must not scale with cells
        replicas += rectangle(body.x + m.width_of(k), body.y + m.height_of(r), m.width_of(last - k),
                              m.cell_height);
      if (c.several) contested += run;
      k = last;
    }
  std::string const scale = " scale(" + svg_writer::number(m.cell_width) + ")\">\n";
  std::string const group =
      "<g class=\"runs\" transform=\"translate(" + svg_writer::number(body.x) + " ";
  out.raw(group + svg_writer::number(body.y + m.cell_height / 2) + ")" + scale);
  for (auto const& [fill, runs] : fills) out.path(runs, joined("s", fill));
  out.raw("</g>\n");
  if (!replicas.empty()) out.path(replicas, "replica");
  if (!contested.empty() && !p.scale.empty() && g.at(0, 0).words.size() == 1)
    out.raw(group + svg_writer::number(body.y + m.cell_height / 2) + ")" + scale +
            "<path class=\"salert\" d=\"" + contested + "\"/>\n</g>\n");
}

inline void write_lines(svg_writer& out, grid const& g, measure const& m, point const& body) {
  auto const lines = [&](integer row_step, integer column_step) {
    std::string d;
    double const width = m.width_of(g.columns);
    double const height = m.height_of(g.rows);
    for (integer r = row_step; r < g.rows; r += row_step)
      d += joined("M", svg_writer::number(body.x), " ", svg_writer::number(body.y + m.height_of(r)),
                  "h", svg_writer::number(width));
    for (integer c = column_step; c < g.columns; c += column_step)
      d += joined("M", svg_writer::number(body.x + m.width_of(c)), " ", svg_writer::number(body.y),
                  "v", svg_writer::number(height));
    return d;
  };
  if (m.cell_width >= 6) out.path(lines(1, 1), "faint");
  out.path(lines(std::max<integer>(m.row_tick, 8), std::max<integer>(m.column_tick, 8)), "clear");
}

inline std::string named_range(std::string const& what, std::vector<std::string> const& names,
                               integer from, integer to) {
  std::string const first = names[static_cast<std::size_t>(from)];
  std::string const last = names[static_cast<std::size_t>(to - 1)];
  return (what.empty() ? "" : what + " ") + first + (first == last ? "" : " to " + last);
}

struct color_block {
  integer row = 0, column = 0, below = 0, right = 0;
};

void for_each_color_block(grid const& g, auto const& visit) {
  std::vector<bool> done(g.cells.size(), false);
  auto const is_done = [&](integer r, integer k) {
    return done[static_cast<std::size_t>(r * g.columns + k)];
  };
  for (integer r = 0; r < g.rows; ++r)
    for (integer k = 0; k < g.columns; ++k) {
      cell const& first = g.at(r, k);
      if (first.kind != cell::held || first.plain || is_done(r, k)) continue;
      auto const same = [&](integer i, integer j) {
        cell const& c = g.at(i, j);
        return c.kind == first.kind && c.color == first.color && c.marked == first.marked;
      };
      color_block b{r, k, r + 1, k + 1};
      while (b.right < g.columns && same(r, b.right) && !is_done(r, b.right)) ++b.right;
      auto const row_fits = [&](integer i) {
        for (integer j = k; j < b.right; ++j)
          if (!same(i, j)) return false;
        return true;
      };
      while (b.below < g.rows && row_fits(b.below)) ++b.below;
      for (integer i = r; i < b.below; ++i)
        for (integer j = k; j < b.right; ++j)
          done[static_cast<std::size_t>(i * g.columns + j)] = true;
      visit(b);
    }
}

inline void write_blocks(svg_writer& out, picture const& p, view const& v, grid const& g,
                         measure const& m, point const& body, bool named) {
  int written = 0, hovered = 0;
  for_each_color_block(g, [&](color_block const& b) {
    cell const& first = g.at(b.row, b.column);
    std::string const name = value_name(p, first.color);
    double const x = body.x + m.width_of(b.column), y = body.y + m.height_of(b.row);
    double const width = m.width_of(b.right - b.column), height = m.height_of(b.below - b.row);
    if (++hovered <= most_blocks_with_tooltip)
      out.rect(x, y, width, height, "hover",
               named_range(v.rows_are, g.row_names, b.row, b.below) + ", " +
                   named_range(v.columns_are, g.column_names, b.column, b.right) + ": " + name);
    if (!named || sans_width(name, font::block) + 10 > width || height < 16 ||
        ++written > most_block_names)
      return;
    bool const large = sans_width(name, font::large_block) + 40 < width && height > 60;
    out.text(x + width / 2, y + height / 2 + 4,
             (large ? "block large s" : "block s") + class_of(p, first), name);
  });
}

inline void write_grid(svg_writer& out, picture const& p, view const& v, grid const& g,
                       measure const& m, point const& at) {
  point const body{at.x + m.left, at.y + m.top};
  if (!g.title.empty()) out.text(at.x + m.left, at.y + 10, "small", g.title);
  write_numbers(out, v, g, m, body);
  if (m.level != detail_level::color) return write_labelled(out, p, v, g, m, body);
  write_runs(out, p, g, m, body);
  write_lines(out, g, m, body);
  bool const named_above = g.title.find(name_of_axis(p.key.on) + " ") != std::string::npos;
  if (!p.scale.empty()) write_blocks(out, p, v, g, m, body, !named_above);
}

inline void write_view(svg_writer& out, picture const& p, placed_view const& placed, double x,
                       double y) {
  view const& v = placed.shown;
  measure const& m = placed.size;
  for (std::size_t k = 0; k < m.heading.size(); ++k)
    out.text(x, y + 14 + 18 * static_cast<double>(k), "heading", m.heading[k]);
  double bottom = y + m.heading_height();
  for (std::size_t g = 0; g < v.grids.size(); ++g) {
    auto const across = static_cast<double>(g % m.in_a_row);
    auto const down = static_cast<double>(g / m.in_a_row);
    point const at{x + across * (m.grid_width + grid_gap),
                   y + m.heading_height() + down * (m.grid_height + gap_below_grid)};
    write_grid(out, p, v, v.grids[g], m, at);
    if (g == 0 && placed.outlined.size() == 2)
      out.rect(at.x + m.left, at.y + m.top, m.width_of(placed.outlined[1]),
               m.height_of(placed.outlined[0]), "outline");
    bottom = at.y + m.grid_height;
  }
  for (std::size_t n = 0; n < m.notes.size(); ++n)
    out.text(x, bottom + note_height * static_cast<double>(n + 1), "small quiet", m.notes[n]);
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
