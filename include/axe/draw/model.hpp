// SPDX-License-Identifier: MIT
// The model of a picture: views of grids of cells.
//
//     tensor view of (8,16)     one grid, 8 x 16; cell (2,9): 8 on lane, 6 and 10 on warp, 1 on reg
//     its hardware view         one grid for each warp, 2 registers x 32 lanes
//
// Every cell is an answer of `places` (tensor view) or `elements` (hardware view).
#pragma once

#include <axe/draw/scale.hpp>

#include <string>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace drawing {

struct cell {
  enum kinds {
    outside,
    empty,
    held
  };  // outside: not in the grid; empty: a place without an element

  kinds kind = outside;
  std::vector<std::string> words;  // tensor view: one for each unit; hardware view: the elements
  integer color = 0;
  bool replica = false;  // not the first place of its element
  bool several = false;  // more than one place (tensor view) or element (hardware view)
  bool marked = false;   // the layouts differ here, or a bank conflict
  bool plain = false;    // not coloured
  integer element = -1;  // the first element here, row-major
  std::string hint;      // shown on hover
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
  // The axis of each word of a cell, empty for coordinates.
  std::vector<std::string> units;
  std::vector<grid> grids;
  std::vector<std::string> notes;  // about cells that are not drawn
  bool has_empty = false, has_several = false, has_replicas = false;
};

/// The largest view and grid.
inline constexpr integer most_cells = 131'072;
inline constexpr integer most_lines = 1'024;
inline constexpr integer most_grids = 64;

}  // namespace drawing

enum class draw_view { both, tensor, hardware, banks };

struct draw_options {
  draw_view view = draw_view::both;
  int bits = 0;                       // of an element, for the bank view
  drawing::color_key color;           // a null axis: chosen by the layout
  integer row = 0;                    // addresses in a line of memory; 0: chosen by the layout
  std::string name;                   // the title
  double width = 1200, height = 900;  // in points, about
  integer cells = drawing::most_cells;
};

namespace drawing {

struct block_views {
  std::vector<view> views;
  std::vector<integer> extents;  // rows and columns, if the tensor view is drawn
};

struct legend_entry {
  std::string classes, words;
};

struct picture {
  std::string name;
  std::string layout_text;
  std::string summary;
  color_key key;
  color_scale scale;
  std::string colors_are;   // "columns" if the colours are not those of an axis
  std::string colors_note;  // ", 16 bytes each": follows the range of a ramp
  std::vector<view> views;
  std::vector<block_views> blocks;  // largest first
  integer replicas = 1;             // places of each element
  std::vector<legend_entry> legend;
};

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
