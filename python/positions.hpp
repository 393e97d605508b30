// Writes the positions of every element on one axis into an array.
//
//     S[(2,3):(4@lane,1@reg)] on lane                     0 0 0 4 4 4
//     S[2:1] + R[2:4@warp] on warp                        0 4 0 4      2 positions for each element
//
// Elements count row-major. The positions of one element are neighbours, ascending before the
// swizzle.
#pragma once

#include <axe/axe.hpp>

#include <cstdint>
#include <vector>

namespace module {

/// The positions on `a` of an element whose digits are all 0, before the swizzle: the offset plus
/// each sum of replica steps. Empty if there are more than `most`.
std::vector<std::int64_t> first_positions(axe::layout const& l, axe::axis a, axe::integer most);

/// Writes the positions of all elements. `out` has room for size(l) * first.size() positions.
void write_positions(axe::layout const& l, axe::axis a, std::vector<std::int64_t> const& first,
                     std::int64_t* out);

}  // namespace module
