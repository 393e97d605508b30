// SPDX-License-Identifier: MIT
// The tensor view: the places of element (i,j). A grid shows the last two dimensions; each index of
// the other dimensions has a grid.
//
//     shape (7,48,100)      seven grids of 48 x 100
//     shape (4096)          rows of 64 elements: a long vector is folded
//
// A nested dimension is flattened.
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

inline grid slice(subject const& of, directions const& d, window const& w, integer index,
                  color_key const& key, color_scale& scale) {
  std::vector<integer> const outer = unflatten(index, of.extents, d.outer);
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
      if (d.vector && !of.extents.empty()) {
        at.push_back(i * d.columns + j);
        if (at.back() >= of.extents[0]) {
          g.cells.emplace_back();
          continue;
        }
      }
      g.cells.push_back(element_cell(of, at, key, scale));
    }
  }
  return g;
}

inline view tensor_view(subject const& of, color_key const& key, color_scale& scale) {
  directions const d(of.extents);
  window all{1, d.rows, d.columns};
  for (std::size_t k = 0; k < d.outer; ++k)
    all.grids *= of.extents[k];  // no overflow: the product divides the size
  window const w = cut(all, of.most_cells);

  view v;
  v.heading = joined("tensor view: who holds element ", d.vector      ? "i"
                                                        : d.outer > 0 ? "(…,i,j)"
                                                                      : "(i,j)");
  v.rows_are = d.vector && d.rows == 1 ? "" : "i";
  v.columns_are = !d.vector ? "j" : d.rows > 1 ? "+" : "i";
  for (axis a : axes_of(of.of)) v.units.push_back(name_of_axis(a));
  if (v.units.empty()) v.units.emplace_back();
  for (integer g = 0; g < w.grids; ++g) v.grids.push_back(slice(of, d, w, g, key, scale));
  if (std::string const rest = left_out(w, all, "slices"); !rest.empty()) v.notes.push_back(rest);
  v.has_several = places(of.of, 0).size() > 1;
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
