// The size of a view's cells, and how much text they hold.
//
//     8 x 16 with three words      `8@lane` `6,10@warp` `1@reg` at 10 px
//     32 x 64 with one word        the number at 9 px
//     128 x 256                    colour in cells of 4 px, no text
//
// Text is never smaller than 9 px; a cell without room shows less.
#pragma once

#include "picture.hpp"

namespace draw {

namespace type {
inline constexpr double mono_advance =
    0.602;  // of the font size, DejaVu Sans Mono; other monospaced fonts are narrower
inline constexpr double sans_advance = 0.53;  // on average, for lines of words
inline constexpr double names = 10, values = 9, ticks = 9, block = 11, large_block = 16, small = 11,
                        heading = 13, layout = 15, name = 18;
}  // namespace type

std::size_t characters(std::string const& text);
inline double mono_width(std::string const& text, double size) {
  return static_cast<double>(characters(text)) * size * type::mono_advance;
}
inline double sans_width(std::string const& text, double size) {
  return static_cast<double>(characters(text)) * size * type::sans_advance;
}

enum class detail_level { color, values, names };

struct measure {
  detail_level level = detail_level::color;
  double cell_width = 0, cell_height = 0;
  double left = 0, top = 0;                // row numbers; title and column numbers
  double title = 0;                        // the part of `top` that is the title
  double grid_width = 0, grid_height = 0;  // all of one grid
  std::size_t in_a_row = 1;                // grids side by side
  double width = 0, height = 0;            // all of the view
  integer row_tick = 1, column_tick = 1;
};

inline constexpr double widest = 1440;  // of a view
inline constexpr double grid_gap = 28;
inline constexpr double heading_height = 30;
inline constexpr double note_height = 18;

measure measure_view(view const& v);

}  // namespace draw
