// SPDX-License-Identifier: MIT
// The tensor view: the places of element (i,j). A grid shows the last two dimensions, for each
// index of the others.
#pragma once

#include <axe/draw/window.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr integer longest_line_of_a_vector = 64;

struct grid_extents {
  std::size_t outer = 0;  // before rows and columns
  integer rows = 1, columns = 1;
  bool vector = false;

  explicit grid_extents(std::vector<integer> const& extents) : vector(extents.size() < 2) {
    if (vector) {
      integer const n = extents.empty() ? 1 : extents[0];
      columns = n <= longest_line_of_a_vector ? n : 32;
      rows = n / columns + (n % columns != 0);
      return;
    }
    outer = extents.size() - 2;
    rows = extents[outer];
    columns = extents[outer + 1];
  }
};

inline std::string slice_title(subject const& drawn, std::size_t outer, integer index) {
  std::string out = "i,j)";
  for (std::size_t d = outer; d-- > 0; index /= drawn.extents[d])
    out = std::to_string(index % drawn.extents[d]) + "," + out;
  return outer == 0 ? "" : "(" + out;
}

inline grid slice_grid(subject const& drawn, grid_extents const& d, window const& w, integer index,
                       color_key const& key, color_scale& scale) {
  grid g;
  g.title = slice_title(drawn, d.outer, index);
  g.rows = w.rows;
  g.columns = w.columns;
  for (integer j = 0; j < w.columns; ++j) g.column_names.push_back(std::to_string(j));
  for (integer i = 0; i < w.rows; ++i) {
    g.row_names.push_back(std::to_string(d.vector ? i * d.columns : i));
    for (integer j = 0; j < w.columns; ++j) {
      integer const x = (index * d.rows + i) * d.columns + j;
      g.cells.push_back(x < size(drawn.where) ? element_cell(drawn, x, key, scale) : cell{});
    }
  }
  return g;
}

inline view tensor_view(subject const& drawn, color_key const& key, color_scale& scale) {
  grid_extents const d(drawn.extents);
  window all{1, d.rows, d.columns};
  for (std::size_t k = 0; k < d.outer; ++k)
    all.grids *= drawn.extents[k];  // no overflow: the product divides the size
  window const w = cut(all, drawn.most_cells);

  view v;
  if (d.vector) {
    v.heading = "tensor view: who holds element i";
    v.rows_are = d.rows == 1 ? "" : "i";
    v.columns_are = d.rows == 1 ? "i" : "+";
  } else {
    v.heading = joined("tensor view: who holds element ", d.outer > 0 ? "(…,i,j)" : "(i,j)");
    v.rows_are = "i";
    v.columns_are = "j";
  }
  for (axis a : axes_of(drawn.where)) v.units.push_back(name_of_axis(a));
  if (v.units.empty()) v.units.emplace_back();
  for (integer g = 0; g < w.grids; ++g) v.grids.push_back(slice_grid(drawn, d, w, g, key, scale));
  if (std::string const rest = left_out(w, all, "slices"); !rest.empty()) v.notes.push_back(rest);
  v.has_several = places(drawn.where, 0).size() > 1;
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
