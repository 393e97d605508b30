// SPDX-License-Identifier: MIT
// The model of a picture: views of grids of cells, drawn as characters or SVG.
//
//     tensor view of (8,16)     one grid, 8 x 16; cell (2,9): 8 on lane, 6 and 10 on warp, 1 on reg
//     its hardware view         one grid for each warp, 2 registers x 32 lanes;
//                               cell 8@lane + 10@warp + 1@reg: element 2,9, a replica
#pragma once

#include <axe/draw/scale.hpp>

#include <string>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace drawing {

struct cell {
  // `outside`: not part of the grid; `empty`: a place without an element.
  enum kinds { outside, empty, held };

  kinds kind = outside;
  // Tensor view: one word for each entry of view::units. Hardware view: the elements.
  std::vector<std::string> words;
  integer color = 0;     // the value of the color key
  bool replica = false;  // hardware view: not the first place of its element
  bool several = false;  // tensor view: several places; hardware view: several elements
  bool marked = false;   // difference: the layouts differ here; banks: a conflict
  bool plain = false;    // drawn without a colour
  integer element = -1;  // row-major number of the first element
  std::string hint;      // shown on hover; empty without words
};

struct grid {
  std::string title;
  integer rows = 0, columns = 0;
  std::vector<std::string> row_names, column_names;
  std::vector<cell> cells;  // row by row

  cell const& at(integer row, integer column) const {
    return cells[static_cast<std::size_t>(row * columns + column)];
  }
};

struct view {
  std::string heading;
  std::string rows_are, columns_are;  // captions of the two directions
  // The axis of each word, or one empty string if words are coordinates.
  std::vector<std::string> units;
  std::vector<grid> grids;
  std::vector<std::string> notes;  // about cells that are left out
  bool has_empty = false, has_several = false, has_replicas = false;
};

inline void summarize_cells(view& v) {
  for (grid const& g : v.grids)
    for (cell const& c : g.cells) {
      v.has_empty = v.has_empty || c.kind == cell::empty;
      v.has_several = v.has_several || c.several;
      v.has_replicas = v.has_replicas || c.replica;
    }
}

/// The limits of one view. A note says how much of a larger view is drawn.
inline constexpr integer most_cells = 131'072;
inline constexpr integer most_lines = 1'024;
inline constexpr integer most_grids = 64;

}  // namespace drawing

/// The views of a picture: places of elements, elements at places, or both; or memory by banks.
enum class draw_view { both, tensor, hardware, banks };

/// How a layout is drawn.
struct draw_options {
  draw_view view = draw_view::both;
  int bits = 0;                         // of an element, for the bank view
  drawing::color_key color{};           // what colours show; a null axis: chosen for the layout
  integer row = 0;                      // addresses in a line of the hardware view; 0: chosen
  std::string name{};                   // printed above the layout
  double width = 1200, height = 900;    // approximate size in px
  integer cells = drawing::most_cells;  // the most in a view
};

namespace drawing {

/// Also rejects NaN.
inline void check_size(draw_options const& options) {
  auto const fits = [](double px) { return px >= 1 && px <= 1'000'000; };
  if (!fits(options.width) || !fits(options.height) || options.cells < 1 || options.row < 0 ||
      options.row > most_cells)
    detail::stop_on({rule::picture_size}, "draw");
}

struct block_views {
  std::vector<view> views;
  std::vector<integer> extents;  // rows and columns of the block, if the tensor view is drawn
};

struct legend_entry {
  std::string classes, words;  // CSS classes of the swatch; its text
};

struct picture {
  std::string layout_text;
  std::string summary;
  color_key key;
  color_scale scale;
  std::string colors_are;   // the subject of the colours, such as "columns"; empty for an axis
  std::string colors_note;  // printed after the range of a ramp: ", 16 bytes each"
  std::vector<view> views;
  std::vector<block_views> blocks;  // of views too large for words; largest first
  integer replicas = 1;             // places of each element
  std::vector<legend_entry> legend;
};

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
