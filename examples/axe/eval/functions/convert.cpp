// The functions for plans of register conversions, and for the order of a dimension with which a
// conversion needs no shuffles.
#include "eval/function.hpp"

#include <axe/convert.hpp>

namespace calculator {

using axe::integer;
using axe::layout;
using axe::shape;
using axe::step_limit;

std::vector<function> conversion_functions() {
  return {
      {"convert", "FROM, TO, bits",
       [](layout const& from, layout const& to, integer bits, step_limit steps) {
         return axe::try_plan_convert(from, to, bits, steps);
       },
       "the plan that converts registers from layout FROM to TO"},
      {"relabel", "FROM, TO, S, d",
       [](layout const& from, layout const& to, shape const& s, integer d, step_limit steps) {
         return axe::try_relabel(from, to, s, d, steps);
       },
       "an order of dimension d of S in which the conversion moves no element between lanes"},
      {"reorder", "TO, S, d, order",
       [](layout const& to, shape const& s, integer d, layout const& order, step_limit steps) {
         return axe::try_reorder(to, s, d, order, steps);
       },
       "TO with dimension d of S in the given order"},
  };
}

}  // namespace calculator
