// Dimensions one by one: part of them, in another order, one more; elements that become several.
#include "eval/function.hpp"

namespace calculator {

using axe::axis;
using axe::coordinate;
using axe::integer;
using axe::layout;
using axe::region;
using axe::shape;
using axe::step_budget;

std::vector<function> dimension_functions() {
  return {
      {"slice", "L, S, (b:e, …)",
       [](layout const& l, shape const& s, region const& r, step_budget steps) {
         return axe::try_slice(l, s, r, steps);
       },
       "the same map on a region of S: begin included, end excluded"},
      {"permute", "L, S, order",
       [](layout const& l, shape const& s, coordinate const& order, step_budget steps) {
         return axe::try_permute(l, s, order, steps);
       },
       "dimensions in another order: dimension i of the result is dimension order[i] of S"},
      {"broadcast", "L, S, position, e",
       [](layout const& l, shape const& s, integer position, integer extent, step_budget steps) {
         return axe::try_broadcast(l, s, position, extent, steps);
       },
       "a new dimension of extent e that changes no place"},
      {"unpack", "L, n, axis", [](layout const& l, integer n, axis a) { return axe::try_unpack(l, n, a); },
       "each element becomes n narrower ones, side by side on the axis"},
      {"pack", "L, n, axis", [](layout const& l, integer n, axis a) { return axe::try_pack(l, n, a); },
       "each n elements, side by side on the axis, become one"},
  };
}

}  // namespace calculator
