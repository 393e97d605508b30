// What a picture consists of, before it is characters or SVG: views of grids of cells.
//
//     tensor view of the tensor-core tile, (8,16)      one grid, 8 x 16; cell (2,9): 8 on lane, 6 and 10 on warp, 1 on reg
//     its hardware view                                one grid a warp, 2 registers x 32 lanes; cell of 8@lane + 10@warp + 1@reg:
//                                                      element 2,9, a copy
//
// Every cell is an answer of the library: `places` for the tensor view, `elements` for the hardware
// view, `owned_by` for what a grid's owner holds. Nothing here or behind it computes where an
// element lies.
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
  };  // not part of the grid; a place without an element; a place or an element

  kinds kind = outside;
  std::vector<std::string>
      words;             // tensor view: one for each unit of the view; hardware view: the elements
  integer color = 0;     // the color key's value
  bool copy = false;     // hardware view: its element's first place is another one
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
  std::vector<std::string>
      units;  // what each word of a cell counts: axes, or one empty string for coordinates
  std::vector<grid> grids;
  std::vector<std::string> notes;  // sentences about what is left out
  bool has_empty = false, has_several = false, has_copies = false;
};

/// A budget: no view draws more cells (fewer where the file would be too large), no grid more rows
/// or columns; the rest is left out with a sentence.
inline constexpr integer most_cells = 131'072;
inline constexpr integer most_lines = 1'024;
inline constexpr integer most_grids = 64;

/// What the options of the command ask for, beside the layout and its shape.
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
  std::string colors_are;  // what the values of the scale count where it is no axis: "columns"
  std::vector<view> views;
  integer copies = 1;               // how many places each element has
  std::vector<std::string> legend;  // more lines for it (difference)
};

/// A layout and a shape that it admits. Refusals are the library's.
struct subject {
  axe::layout of;
  axe::shape seen_as;
  std::vector<integer> extents;  // one a dimension, groups multiplied out
  integer most_cells = 0;        // what one view may draw
};

subject make_subject(axe::layout const& l, axe::shape const& s, integer cells = most_cells);

view tensor_view(subject const& of, color_key const& key, color_scale& scale);
view hardware_view(subject const& of, color_key const& key, color_scale& scale, integer row);
view difference_view(subject const& a, subject const& b, integer& differing);

/// Both views, as asked for.
picture make_picture(axe::layout const& l, axe::shape const& s, request const& asked);
picture difference_picture(axe::layout const& a, axe::layout const& b, axe::shape const& s);

}  // namespace draw
