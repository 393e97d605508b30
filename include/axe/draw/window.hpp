// SPDX-License-Identifier: MIT
// The drawn part of a large layout, and a sentence about the rest.
#pragma once

#include <axe/draw/cells.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct window {
  integer grids = 1, rows = 1, columns = 1;
};

inline window cut(window const& all, integer cells) {
  window w;
  w.columns = std::min(all.columns, most_lines);
  w.rows = std::min({all.rows, most_lines, std::max<integer>(1, cells / w.columns)});
  w.grids = std::min({all.grids, most_grids, std::max<integer>(1, cells / (w.columns * w.rows))});
  return w;
}

inline std::string left_out(window const& w, window const& all, char const* grids) {
  std::string out;
  auto const add = [&](integer shown, integer there, std::string const& what) {
    if (shown < there)
      out += (out.empty() ? "drawn: " : ", ") + with_commas(shown) + " of " + with_commas(there) +
             " " + what;
  };
  add(w.grids, all.grids, grids);
  add(w.rows, all.rows, "rows");
  add(w.columns, all.columns, "columns");
  return out;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
