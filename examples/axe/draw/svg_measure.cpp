// Tries the level with the most text first and takes the first that fits.
#include "svg_measure.hpp"

#include <algorithm>
#include <cmath>

namespace draw {

namespace {

constexpr std::size_t most_labelled = 4'096;
constexpr double tallest_labelled = 2'000;
constexpr double widest_colored = 1'200;
constexpr double tallest_colored = 820;

/// The longest word of the cells, with its unit if shown, and the most words in one cell.
struct longest {
  double characters_in_word = 1;
  double words = 1;

  longest(view const& v, bool units) {
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

double widest_name(std::vector<std::string> const& names) {
  double width = 0;
  for (std::string const& name : names) width = std::max(width, mono_width(name, type::ticks));
  return width;
}

/// The least power of two of cells at which numbers do not touch.
integer tick(double needed, double cell) {
  integer step = 1;
  while (static_cast<double>(step) * cell < needed && step < most_lines) step *= 2;
  return step;
}

void arrange(measure& m, view const& v) {
  grid const& g = v.grids.front();
  bool titles = false;
  double title_width = 0;
  double rows = 0;
  double columns = 0;
  for (grid const& each : v.grids) {
    titles = titles || !each.title.empty();
    title_width = std::max(title_width, sans_width(each.title, type::small));
    rows = std::max(rows, widest_name(each.row_names));
    columns = std::max(columns, widest_name(each.column_names));
  }
  rows = std::max(rows, mono_width(v.rows_are, type::ticks));
  m.title = titles ? 18 : 0;
  m.left = rows > 0 ? rows + 8 : 0;
  m.top = m.title + (v.columns_are.empty() ? 0 : 16);
  m.column_tick = tick(columns + 6, m.cell_width);
  m.row_tick = tick(type::ticks + 4, m.cell_height);
  double const caption = v.columns_are.empty() ? 0 : mono_width(v.columns_are, type::ticks) + 12;
  m.grid_width =
      std::max(m.left + static_cast<double>(g.columns) * m.cell_width + caption, title_width);
  m.grid_height = m.top + static_cast<double>(g.rows) * m.cell_height;
  auto const fitting =
      static_cast<std::size_t>(std::max(1.0, (widest + grid_gap) / (m.grid_width + grid_gap)));
  m.in_a_row = std::min(fitting, v.grids.size());
  std::size_t const lines = (v.grids.size() + m.in_a_row - 1) / m.in_a_row;
  // Rows of equal length: 4 and 3 instead of 6 and 1.
  m.in_a_row = (v.grids.size() + lines - 1) / lines;
  auto const across = static_cast<double>(m.in_a_row);
  auto const down = static_cast<double>(lines);
  m.width = across * m.grid_width + (across - 1) * grid_gap;
  m.height = heading_height + down * m.grid_height + (down - 1) * grid_gap +
             note_height * static_cast<double>(v.notes.size());
  m.width = std::max(m.width, sans_width(v.heading, type::heading));
  for (std::string const& note : v.notes)
    m.width = std::max(m.width, sans_width(note, type::small));
}

bool try_labels(measure& m, view const& v, detail_level level) {
  bool const names = level == detail_level::names;
  longest const text(v, names);
  double const size = names ? type::names : type::values;
  m.level = level;
  m.cell_width = std::ceil(text.characters_in_word * size * type::mono_advance + 9);
  m.cell_height = std::ceil(text.words * (size + 2) + 8);
  m.cell_width = std::max(m.cell_width, m.cell_height);
  arrange(m, v);
  return static_cast<double>(v.grids.front().columns) * m.cell_width <= (names ? widest : 2'000) &&
         m.height <= tallest_labelled;
}

}  // namespace

std::size_t characters(std::string const& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

measure measure_view(view const& v) {
  measure m;
  if (v.grids.empty()) {
    m.width = sans_width(v.heading, type::heading);
    m.height = heading_height + note_height * static_cast<double>(v.notes.size());
    return m;
  }
  std::size_t cells = 0;
  for (grid const& g : v.grids) cells += g.cells.size();
  if (cells <= most_labelled)
    for (detail_level level : {detail_level::names, detail_level::values})
      if (try_labels(m, v, level)) return m;
  m = {};
  for (double size : {18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2}) {
    m.cell_width = m.cell_height = size;
    arrange(m, v);
    if (m.width <= widest_colored && m.height <= tallest_colored) break;
  }
  return m;
}

}  // namespace draw
