// The positions of every element on one axis, as an array.
//
//     S[(2,3):(4@lane,1@reg)] on lane                     0 0 0 4 4 4
//     S[2:1] + R[2:4@warp] on warp                        0 4 0 4      2 positions for each element
//
// Elements count row-major. The positions of one element follow each other, ascending before the
// swizzle.
#pragma once

#include <axe/axe.hpp>

#include <cstdint>
#include <vector>

namespace module {

/// The positions of one element on `a`, without its digits: the offset and the set of replicas.
/// `most` bounds their number; an empty answer means that there are more.
std::vector<std::int64_t> first_positions(axe::layout const& l, axe::axis a, axe::integer most);

/// Writes the positions of all elements. `out` has room for size(l) times `first`.
void write_positions(axe::layout const& l, axe::axis a, std::vector<std::int64_t> const& first,
                     std::int64_t* out);

}  // namespace module
