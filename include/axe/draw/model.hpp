// SPDX-License-Identifier: MIT
// The model of a picture: views of grids of cells, drawn as characters or SVG.
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
  integer color = 0;
  bool replica = false;  // not the first place of its element
  bool several = false;  // several places (tensor view) or elements (hardware view)
  bool marked = false;   // a difference or a bank conflict
  bool plain = false;    // without a colour
  integer element = -1;  // row-major number of the first
  std::string hint;
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
  std::string rows_are, columns_are;
  // The axis of each word, or one empty string if words have none.
  std::vector<std::string> units;
  std::vector<grid> grids;
  std::vector<std::string> notes;
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

inline constexpr integer most_cells = 131'072;
inline constexpr integer most_lines = 1'024;
inline constexpr integer most_grids = 64;

}  // namespace drawing

/// `tensor` shows the places of elements, `hardware` the elements at places.
enum class draw_view { both, tensor, hardware, banks };

struct draw_options {
  draw_view view = draw_view::both;
  int bits = 0;                // of an element, for banks
  drawing::color_key color{};  // axis::null: chosen for the layout
  integer row = 0;             // positions in a line of the hardware view; 0: chosen
  std::string name{};
  double width = 1200, height = 900;    // px, approximately
  integer cells = drawing::most_cells;  // the most in a view
};

namespace drawing {

/// Rejects sizes outside their limits, and NaN.
inline void check_size(draw_options const& options) {
  auto const fits = [](double px) { return px >= 1 && px <= 1'000'000; };
  if (!fits(options.width) || !fits(options.height) || options.cells < 1 || options.row < 0 ||
      options.row > most_cells)
    detail::stop_on(refusal{rule::picture_size}, "draw");
}

struct block_views {
  std::vector<view> views;
  std::vector<integer> extents;  // rows and columns in the tensor view
};

struct legend_entry {
  std::string classes, words;
};

struct picture {
  std::string layout_text;
  std::string summary;
  color_key key;
  color_scale scale;
  std::string colors_are;  // what colours stand for, such as "columns"; empty: an axis
  std::string colors_note;
  std::vector<view> views;
  std::vector<block_views> blocks;  // drawn with words if `views` do not fit; largest first
  integer replicas = 1;
  std::vector<legend_entry> legend;
};

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
