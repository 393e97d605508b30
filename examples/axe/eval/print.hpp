// Prints an answer on one line. Layouts, shapes and places are in axe's notation. Other answers:
//
//     places        {8@lane + 6@warp, 8@lane + 10@warp}
//     elements      {(2,8), (2,9)}
//     owned_by      (2:3, 8:10) holds S[((),(2)):((),(1@reg))]; …, or nothing
//     coverage      once | copies: element 0 at 0@m and 1@m | holes: … | contested: …
//     difference    none | element 4: {5@m} and {4@m}
//     linear        {lane: 1 -> (0,1); reg: 1 -> (1,0)} to (dim0: 2, dim1: 2)
#pragma once

#include "eval/value.hpp"

namespace calculator {

/// Appends the line to `to`. Rejected as undecided if a set has more than `steps` entries.
axe::refusal print(std::string& to, value const& v, axe::integer steps);

/// Appends the places of one element. False if there are more than `limit`.
bool print_places(std::string& to, axe::placement const& set, axe::integer limit);

/// The call that makes an access form, such as `ldmatrix_rows(16)`.
std::string print_form(axe::access_form const& f);

}  // namespace calculator
