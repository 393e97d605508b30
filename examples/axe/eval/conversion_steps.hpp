// Writes the steps of a conversion plan as keys of an open JSON object.
//
//     "runs":[{"source":0,"target":0}],
//     "steps":[{"value":"v0","do":"shuffle","of":"s0","from":[1,0,3,2,…]},…],
//     "filled":[{"word":"t0","with":"v1"}]
//
// Source words are s0, s1, …, target words t0, t1, …, intermediate values v0, v1, …. The steps are
// executed once for each run, which adds `source` and `target` to the numbers of words.
#pragma once

#include "support/json.hpp"

#include <axe/convert/conversion_plan.hpp>

namespace calculator {

void write_steps(text::json& out, axe::conversion_plan const& plan);

}  // namespace calculator
