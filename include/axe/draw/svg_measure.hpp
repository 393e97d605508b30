// SPDX-License-Identifier: MIT
// Chooses the size of a view's cells and the amount of their text.
#pragma once

#include <axe/draw/model.hpp>

#include <algorithm>
#include <cmath>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

namespace font {
// The width of a character divided by the font size. DejaVu Sans Mono is the widest common font.
inline constexpr double mono_advance = 0.602;
inline constexpr double sans_advance = 0.53;
// Font sizes in px, as in svg_style.hpp.
inline constexpr double cells = 11, ticks = 11, block = 12, large_block = 16, small = 12,
                        heading = 14, layout = 15, name = 18;
inline constexpr double bold_width_factor = 1.18;
inline constexpr double line_height = 13;
}  // namespace font

inline double mono_width(std::string const& text, double size) {
  return static_cast<double>(characters(text)) * size * font::mono_advance;
}
inline double sans_width(std::string const& text, double size) {
  return static_cast<double>(characters(text)) * size * font::sans_advance;
}

inline std::vector<std::string> wrapped_words(std::string const& text, double width, double size) {
  auto const room = static_cast<std::size_t>(width / (size * font::sans_advance));
  std::vector<std::string> lines(1);
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find(' ', start);
    end = end == std::string::npos ? text.size() : end + 1;
    if (!lines.back().empty() && lines.back().size() + end - start > room) lines.emplace_back();
    lines.back() += text.substr(start, end - start);
    start = end;
  }
  return lines;
}

enum class detail_level { color, values, names };

struct measure {
  detail_level level = detail_level::color;
  double cell_width = 0, cell_height = 0;
  double left = 0;                         // room for row numbers
  double top = 0;                          // room for title and column numbers
  double title = 0;                        // part of `top`
  double grid_width = 0, grid_height = 0;  // with title and numbers
  std::size_t in_a_row = 1;
  double width = 0, height = 0;
  integer row_tick = 1, column_tick = 1;
  std::vector<std::string> heading, notes;

  double heading_height() const { return 12 + 18 * static_cast<double>(heading.size()); }
  double width_of(integer columns) const { return static_cast<double>(columns) * cell_width; }
  double height_of(integer rows) const { return static_cast<double>(rows) * cell_height; }
};

inline constexpr double grid_gap = 24;
inline constexpr double gap_below_grid = 12;
inline constexpr double readable_width = 420;  // a heading or note widens a view up to this
inline constexpr double note_height = 18;
inline constexpr std::size_t most_labelled_cells = 4'096;  // in a view

struct longest_words {
  double characters_in_word = 1;
  double words = 1;

  longest_words(view const& v, bool units) {
    for (grid const& g : v.grids)
      for (cell const& c : g.cells) {
        words = std::max(words, static_cast<double>(c.words.size()));
        for (std::size_t i = 0; i < c.words.size(); ++i) {
          bool const named = units && i < v.units.size() && !v.units[i].empty();
          double const here = static_cast<double>(characters(c.words[i]) +
                                                  (named ? 1 + characters(v.units[i]) : 0));
          characters_in_word = std::max(characters_in_word, here);
        }
      }
  }
};

inline double widest_name(std::vector<std::string> const& names) {
  double width = 0;
  for (std::string const& name : names) width = std::max(width, mono_width(name, font::ticks));
  return width;
}

/// The distance in cells at which numbers do not touch: a power of two.
inline integer tick_distance(double needed, double cell) {
  integer step = 1;
  while (static_cast<double>(step) * cell < needed && step < most_lines) step *= 2;
  return step;
}

inline void add_heading_and_notes(measure& m, view const& v, double width, double height,
                                  double longest = readable_width) {
  m.width = std::max(
      width, std::min(sans_width(v.heading, font::heading * font::bold_width_factor), longest));
  for (std::string const& note : v.notes)
    m.width = std::max(m.width, std::min(sans_width(note, font::small), longest));
  m.heading = wrapped_words(v.heading, m.width, font::heading * font::bold_width_factor);
  for (std::string const& note : v.notes)
    for (std::string const& line : wrapped_words(note, m.width, font::small))
      m.notes.push_back(line);
  m.height = m.heading_height() + height + note_height * static_cast<double>(m.notes.size());
}

inline void arrange_grids(measure& m, view const& v, double room) {
  grid const& g = v.grids.front();
  double title_width = 0;
  double row_name = mono_width(v.rows_are, font::ticks);
  double column_name = 0;
  for (grid const& each : v.grids) {
    title_width = std::max(title_width, sans_width(each.title, font::small));
    row_name = std::max(row_name, widest_name(each.row_names));
    column_name = std::max(column_name, widest_name(each.column_names));
  }
  m.title = title_width > 0 ? 18 : 0;
  m.left = row_name > 0 ? row_name + 8 : 0;
  m.top = m.title + (v.columns_are.empty() ? 0 : 17);
  m.column_tick = tick_distance(column_name + 6, m.cell_width);
  m.row_tick = tick_distance(font::ticks + 3, m.cell_height);
  double const caption = v.columns_are.empty() ? 0 : mono_width(v.columns_are, font::ticks) + 10;
  m.grid_width = std::max(m.left + m.width_of(g.columns) + caption, title_width);
  m.grid_height = m.top + m.height_of(g.rows);
  auto const fitting =
      static_cast<std::size_t>(std::max(1.0, (room + grid_gap) / (m.grid_width + grid_gap)));
  m.in_a_row = std::min(fitting, v.grids.size());
  std::size_t const lines = (v.grids.size() + m.in_a_row - 1) / m.in_a_row;
  // Balance the lines: 4 and 3 grids instead of 6 and 1.
  m.in_a_row = (v.grids.size() + lines - 1) / lines;
  auto const across = static_cast<double>(m.in_a_row);
  auto const down = static_cast<double>(lines);
  add_heading_and_notes(m, v, across * m.grid_width + (across - 1) * grid_gap,
                        down * m.grid_height + (down - 1) * gap_below_grid,
                        std::min(readable_width, room));
}

inline std::size_t cells_of(view const& v) {
  std::size_t cells = 0;
  for (grid const& g : v.grids) cells += g.cells.size();
  return cells;
}

inline measure measure_empty(view const& v) {
  measure m;
  add_heading_and_notes(m, v, 0, 0);
  return m;
}

inline measure measure_labels(view const& v, detail_level level, double room) {
  if (v.grids.empty()) return measure_empty(v);
  longest_words const text(v, level == detail_level::names);
  measure m;
  m.level = level;
  m.cell_width = std::ceil(text.characters_in_word * font::cells * font::mono_advance + 6);
  m.cell_height = text.words * font::line_height + 7;
  m.cell_width = std::max(m.cell_width, 20.0);
  arrange_grids(m, v, room);
  return m;
}

inline measure measure_colors(view const& v, double width, double height) {
  if (v.grids.empty()) return measure_empty(v);
  measure m;
  for (double size : {18., 16., 14., 12., 10., 8., 7., 6., 5., 4., 3., 2., 1.5, 1., .7, .5}) {
    m = {};
    m.cell_width = m.cell_height = size;
    arrange_grids(m, v, width);
    if (m.width <= width && m.height <= height) break;
  }
  return m;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
