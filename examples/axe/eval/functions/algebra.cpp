// The algebra: one form, equality, grouping, injectivity, composition and inverse.
#include "eval/function.hpp"

namespace calculator {

using axe::layout;
using axe::shape;
using axe::step_budget;

std::vector<function> algebra_functions() {
  return {
      {"canonicalize", "L", [](layout const& l) { return axe::try_canonicalize(l); },
       "the same map: D in its one form, R and O in a normal form"},
      {"gap_ok", "L", [](layout const& l) { return axe::try_gap_ok(l); },
       "is the canonical R the only list of its set?"},
      {"equivalent", "A, B",
       [](layout const& a, layout const& b, step_budget steps) {
         return axe::try_equivalent(a, b, steps);
       },
       "are both one map?"},
      {"difference", "A, B",
       [](layout const& a, layout const& b, step_budget steps) {
         return axe::try_difference(a, b, steps);
       },
       "the first element, counted row-major, that the maps put elsewhere, with both sets of "
       "places, or none"},
      {"is_injective", "L",
       [](layout const& l, step_budget steps) { return axe::try_is_injective(l, steps); },
       "does no place hold two different elements?"},
      {"group", "L, S", [](layout const& l, shape const& s) { return axe::try_group(l, s); },
       "D split and fused into one block of digits for each dimension of S"},
      {"group_many", "L, {S1, S2, …}",
       [](layout const& l, std::vector<shape> const& shapes) {
         return axe::try_group_many(l, shapes.data(), static_cast<int>(shapes.size()));
       },
       "D in the coarsest blocks from which each of the shapes can be built"},
      {"compose", "A, B",
       [](layout const& a, layout const& b, step_budget steps) {
         return axe::try_compose(a, b, steps);
       },
       "A after B: C(x) = A(B(x))"},
      {"compose", "swizzle, L",
       [](axe::swizzle const& f, layout const& l) { return axe::try_compose(f, l); },
       "the addresses of L through the swizzle"},
      {"inverse", "L, (axis, …)",
       [](layout const& l, axe::axis_list const& axes, step_budget steps) {
         return axe::try_inverse(l, axes, steps);
       },
       "from the places of the axes, in that order and from their least, to the element, on m"},
  };
}

}  // namespace calculator
