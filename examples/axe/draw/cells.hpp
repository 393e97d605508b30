// From the library's answers to the words and colours of one cell.
//
//     tile = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, shape (8,16)
//     element_cell(tile, …, (2,9))                        words 8, 6,10 and 1; several places
//     place_cell(tile, …, 8@lane + 10@warp + 1@reg)       word 2,9; a copy
#pragma once

#include "joined.hpp"
#include "picture.hpp"

namespace draw {

cell element_cell(subject const& of, std::vector<integer> const& at, color_key const& key,
                  color_scale& scale);
cell place_cell(subject const& of, axe::place const& at, color_key const& key, color_scale& scale);

/// `2,9`: an element by its coordinate, one integer a dimension.
std::string coordinate_text(subject const& of, integer index);
axe::coordinate coordinate_of(std::vector<integer> const& at);

/// The positions on one axis: `8`; `6,10`; `0,32,64,96`; `0,1,…127`.
std::string positions_text(std::vector<integer> const& positions, bool more);

/// The positions of an element on one axis, ascending, the first few; `more` when there are others.
std::vector<integer> positions_on(axe::placement const& where, axis a, bool& more);

std::string with_commas(integer n);

}  // namespace draw
