// The one line that an answer is: the notation for what the notation has, a fixed form for the
// rest.
//
//     places        {8@lane + 6@warp, 8@lane + 10@warp}
//     elements      {(2,8), (2,9)}                                       coordinates, ascending
//     owned_by      (2:3, 8:10) holds S[((),(2)):((),(1@reg))]; …        one piece after the other, `nothing` when there is none
//     coverage      once | copies: element 0 at 0@m and 1@m | holes: nothing at 7@m | contested: elements 0 and 1 at 1@m
//     difference    none | element 4: {5@m} and {4@m}
//     linear        {lane: 1 -> (0,1); reg: 1 -> (1,0)} to (dim0: 2, dim1: 2)
//     matrix        lane|reg to dim0: 0|1; dim1: 1|0                    rows of the out-bits, lowest first
//
// A set that is longer than the session's steps is refused (`undecided`), not cut.
#pragma once

#include "eval/value.hpp"

namespace calculator {

/// Appends the line; a refusal when it would be too long.
axe::refusal print(std::string& to, value const& v, axe::integer steps);

/// The places of one element; false when there are more than `most`.
bool print_places(std::string& to, axe::placement const& set, axe::integer most);

/// `ldmatrix_rows(16)`: the call of the calculator that makes it.
std::string print_form(axe::access_form const& f);

}  // namespace calculator
