// Register conversion plans, and the order of k that needs none.
#include "eval/function.hpp"

#include <axe/convert.hpp>

#include <algorithm>

namespace calculator {

using axe::integer;
using axe::layout;
using axe::shape;
using axe::step_budget;

std::vector<function> conversion_functions() {
  return {
      {"convert", "FROM, TO, bits",
       [](layout const& from, layout const& to, integer bits, step_budget steps) {
         return axe::try_plan_convert(from, to, bits, steps);
       },
       "what a warp does to turn registers laid out as FROM into TO, with the fewest shuffles"},
      {"relabel", "FROM, TO, S, d",
       [](layout const& from, layout const& to, shape const& s, integer d, step_budget steps) {
         // No fewer steps than in C++, where the default is more than that of a question here.
         return axe::try_relabel(from, to, s, d,
                                 step_budget(std::max(steps.allowed, integer{1'000'000})));
       },
       "an order of dimension d of S under which TO needs no exchange between lanes"},
      {"reorder", "TO, S, d, order",
       [](layout const& to, shape const& s, integer d, layout const& order, step_budget steps) {
         return axe::try_reorder(to, s, d, order, steps);
       },
       "TO with dimension d of S in that order"},
  };
}

}  // namespace calculator
