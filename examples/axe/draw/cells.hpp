// The words and colour of one cell, from the answers of the library.
//
//     element_cell(tile, …, (2,9))                      words 8, 6,10 and 1; several places
//     place_cell(tile, …, 8@lane + 10@warp + 1@reg)     word 2,9; a replica
#pragma once

#include "joined.hpp"
#include "picture.hpp"

namespace draw {

cell element_cell(subject const& of, std::vector<integer> const& at, color_key const& key,
                  color_scale& scale);
cell place_cell(subject const& of, axe::place const& at, color_key const& key, color_scale& scale);

/// `2,9`: the coordinate of an element.
std::string coordinate_text(subject const& of, integer index);
axe::coordinate coordinate_of(std::vector<integer> const& at);

/// The positions on one axis: `8`; `6,10`; `0,32,64,96`; `0,1,…127`.
std::string positions_text(std::vector<integer> const& positions, bool more);

/// The first positions of an element on one axis, ascending; `more` if there are others.
std::vector<integer> positions_on(axe::placement const& where, axis a, bool& more);

std::string with_commas(integer n);

}  // namespace draw
