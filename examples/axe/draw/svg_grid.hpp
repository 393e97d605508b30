// One view as SVG: heading, grids, row and column numbers, cells and marks.
#pragma once

#include "svg_measure.hpp"
#include "svg_writer.hpp"

namespace draw {

/// Writes a view with its upper left corner at (x, y).
void write_view(svg_writer& out, picture const& p, view const& v, measure const& m, double x,
                double y);

/// `c7`: the style class of a cell's fill; `e` for an empty place; `n` and `x` in a difference.
std::string class_of(picture const& p, cell const& c);

/// The meaning of a colour: `warp 5,9` or `m/8%8 = 3`.
std::string value_name(picture const& p, integer value);

}  // namespace draw
