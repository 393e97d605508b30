// The model of a picture: views of grids of cells, drawn later as characters or as SVG.
//
//     tensor view of (8,16)     one grid, 8 x 16; cell (2,9): 8 on lane, 6 and 10 on warp, 1 on reg
//     its hardware view         one grid for each warp, 2 registers x 32 lanes;
//                               cell 8@lane + 10@warp + 1@reg: element 2,9, a replica
//
// Every cell is an answer of `places` (tensor view) or `elements` (hardware view).
#pragma once

#include "scale.hpp"

#include <string>
#include <vector>

namespace draw {

struct cell {
  enum kinds {
    outside,
    empty,
    held
  };  // outside: not part of the grid; empty: a place without an element

  kinds kind = outside;
  std::vector<std::string>
      words;             // tensor view: one for each unit of the view; hardware view: the elements
  integer color = 0;     // the color key's value
  bool replica = false;  // hardware view: a replica, not the first place of its element
  bool several = false;  // tensor view: more than one place; hardware view: more than one element
  bool marked = false;   // difference: the layouts differ here
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
  // The axis of each word of a cell; one empty string if the words are coordinates.
  std::vector<std::string> units;
  std::vector<grid> grids;
  std::vector<std::string> notes;  // sentences about cells that are left out
  bool has_empty = false, has_several = false, has_replicas = false;
};

/// The largest view and grid. A sentence counts the cells left out.
inline constexpr integer most_cells = 131'072;
inline constexpr integer most_lines = 1'024;
inline constexpr integer most_grids = 64;

/// The options of the command.
struct request {
  std::string color;
  integer row = 0;
  bool tensor = true, hardware = true, banks = false;
  int bits = 0;      // of an element, for the bank view
  std::string name;  // stands above the layout's text
  integer cells = most_cells;
};

struct picture {
  std::string name;
  std::string layout_text;
  std::string summary;
  color_key key;
  color_scale scale;
  std::string colors_are;  // "columns" if the colors are not those of an axis
  std::vector<view> views;
  integer replicas = 1;             // places of each element
  std::vector<std::string> legend;  // additional lines of the legend (difference)
};

/// A layout and its shape.
struct subject {
  axe::layout of;
  axe::shape seen_as;
  std::vector<integer> extents;  // one for each dimension; a group counts as its product
  integer most_cells = 0;        // the largest number of cells in a view
};

subject make_subject(axe::layout const& l, axe::shape const& s, integer cells = most_cells);

view tensor_view(subject const& of, color_key const& key, color_scale& scale);
view hardware_view(subject const& of, color_key const& key, color_scale& scale, integer row);
view difference_view(subject const& a, subject const& b, integer& differing);

picture make_picture(axe::layout const& l, axe::shape const& s, request const& asked);
picture difference_picture(axe::layout const& a, axe::layout const& b, axe::shape const& s);

}  // namespace draw
