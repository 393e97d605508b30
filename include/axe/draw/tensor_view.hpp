// SPDX-License-Identifier: MIT
// The tensor view: the places of element (i,j). A grid shows the last two dimensions. There is one
// grid for each index of the other dimensions.
//
//     shape (7,48,100)      seven grids of 48 x 100
//     shape (4096)          rows of 32 elements; a vector of up to 64 is one row
#pragma once

#include <axe/draw/window.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr integer longest_line_of_a_vector = 64;

struct directions {
  std::size_t outer = 0;  // dimensions before rows and columns
  integer rows = 1, columns = 1;
  bool vector = false;

  explicit directions(std::vector<integer> const& extents) : vector(extents.size() < 2) {
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

inline std::vector<integer> unflatten(integer index, std::vector<integer> const& extents,
                                      std::size_t count) {
  std::vector<integer> at(count);
  for (std::size_t d = count; d-- > 0;) {
    at[d] = index % extents[d];
    index /= extents[d];
  }
  return at;
}

inline std::string slice_title(std::vector<integer> const& outer) {
  std::string out = "(";
  for (integer at : outer) out += std::to_string(at) + ",";
  return outer.empty() ? "" : out + "i,j)";
}

inline grid slice(subject const& drawn, directions const& d, window const& w, integer index,
                  color_key const& key, color_scale& scale) {
  std::vector<integer> const outer = unflatten(index, drawn.extents, d.outer);
  grid g;
  g.title = slice_title(outer);
  g.rows = w.rows;
  g.columns = w.columns;
  for (integer j = 0; j < w.columns; ++j) g.column_names.push_back(std::to_string(j));
  for (integer i = 0; i < w.rows; ++i) {
    g.row_names.push_back(std::to_string(d.vector ? i * d.columns : i));
    for (integer j = 0; j < w.columns; ++j) {
      std::vector<integer> at = outer;
      if (!d.vector) at.insert(at.end(), {i, j});
      if (d.vector && !drawn.extents.empty()) {
        at.push_back(i * d.columns + j);
        if (at.back() >= drawn.extents[0]) {
          g.cells.emplace_back();
          continue;
        }
      }
      g.cells.push_back(element_cell(drawn, at, key, scale));
    }
  }
  return g;
}

inline view tensor_view(subject const& drawn, color_key const& key, color_scale& scale) {
  directions const d(drawn.extents);
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
  for (integer g = 0; g < w.grids; ++g) v.grids.push_back(slice(drawn, d, w, g, key, scale));
  if (std::string const rest = left_out(w, all, "slices"); !rest.empty()) v.notes.push_back(rest);
  v.has_several = places(drawn.where, 0).size() > 1;
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
