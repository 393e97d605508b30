// The steps of a conversion plan as JSON, for `axe eval --json` and `axe plan convert --json`: the
// keys "runs", "steps" and "filled", into an object that is open.
//
//     "runs":[{"source":0,"target":0}],
//     "steps":[{"value":"v0","do":"shuffle","of":"s0","from":[1,0,3,2,…]},{"value":"v1","do":"permute","of":["s0","v0"],"bytes":"0x3715"},…],
//     "filled":[{"word":"t0","with":"v1"}]
//
// Names are those of the text: s words of the source, t of the target, v what is made on the way.
#pragma once

#include "text/json.hpp"

#include <axe/convert/plan.hpp>

namespace calculator {

void write_steps(text::json& out, axe::conversion_plan const& plan);

}  // namespace calculator
