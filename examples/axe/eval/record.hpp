// The calls of one line, in the order in which they are computed. `axe explain` shows them.
//
//     slice(tile(A, (2), B, (4)), (8), (0:2))     tile(…) = S[8:1], then slice(…) = S[2:1]
#pragma once

#include "eval/function.hpp"

namespace calculator {

struct recorded_call {
  function const* called = nullptr;
  std::vector<argument> given;
  value result;  // `absent` after a refusal
  axe::refusal why;
  std::string sentence;  // the sentence of the refusal
};

}  // namespace calculator
