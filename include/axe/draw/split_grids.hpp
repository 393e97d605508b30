// SPDX-License-Identifier: MIT
// Cuts grids into pieces that fit on a page.
#pragma once

#include <axe/draw/model.hpp>

#include <axe/draw/joined.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline grid piece_of(grid const& g, integer row, integer rows, integer column, integer columns) {
  grid piece;
  piece.title = g.title;
  piece.rows = std::min(rows, g.rows - row);
  piece.columns = std::min(columns, g.columns - column);
  auto const names = [](std::vector<std::string> const& all, integer from, integer count) {
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(count));
  };
  piece.row_names = names(g.row_names, row, piece.rows);
  piece.column_names = names(g.column_names, column, piece.columns);
  for (integer r = row; r < row + piece.rows; ++r)
    for (integer c = column; c < column + piece.columns; ++c) piece.cells.push_back(g.at(r, c));
  return piece;
}

inline view split_tall_grids(view v) {
  constexpr integer tall = 32;
  if (v.grids.empty()) return v;
  grid const& first = v.grids.front();
  integer const pieces = (first.rows + tall - 1) / tall;
  if (pieces < 2 || first.rows <= 4 * first.columns ||
      pieces * static_cast<integer>(v.grids.size()) > most_grids)
    return v;
  std::vector<grid> cut;
  for (grid const& g : v.grids)
    for (integer from = 0; from < g.rows; from += tall) {
      cut.push_back(piece_of(g, from, tall, 0, g.columns));
      grid& piece = cut.back();
      piece.title += (g.title.empty() ? "" : ", ") + v.rows_are + " " + piece.row_names.front() +
                     " to " + piece.row_names.back();
    }
  v.grids = cut;
  return v;
}

inline view split_wide_grids(view v, integer columns) {
  integer width = 1;
  while (2 * width <= columns) width *= 2;
  std::vector<grid> cut;
  for (grid const& g : v.grids)
    for (integer from = 0; from < g.columns; from += width)
      cut.push_back(piece_of(g, 0, g.rows, from, width));
  v.grids = cut;
  return v;
}

inline view without_empty_grids(view v) {
  auto const holds = [](grid const& g) {
    return std::any_of(g.cells.begin(), g.cells.end(),
                       [](cell const& c) { return c.kind == cell::held; });
  };
  std::vector<grid> kept;
  std::string names;
  for (grid& g : v.grids)
    if (holds(g) || g.title.empty())
      kept.push_back(std::move(g));
    else
      names += (names.empty() ? "" : "; ") + g.title;
  if (kept.empty()) return v;
  v.grids = std::move(kept);
  if (!names.empty()) v.notes.push_back(names);
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
