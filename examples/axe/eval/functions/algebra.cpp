// The functions for canonical form, equality, grouping, injectivity, composition and inverse.
#include "eval/function.hpp"

namespace calculator {

using axe::layout;
using axe::shape;
using axe::step_limit;

std::vector<function> algebra_functions() {
  return {
      {"canonicalize", "L", [](layout const& l) { return axe::try_canonicalize(l); },
       "the same map in canonical form"},
      {"gap_ok", "L", [](layout const& l) { return axe::try_gap_ok(l); },
       "true if the gap condition (D5) holds, so that no other canonical R has the same set"},
      {"equivalent", "A, B",
       [](layout const& a, layout const& b, step_limit steps) {
         return axe::try_equivalent(a, b, steps);
       },
       "true if A and B are the same map"},
      {"difference", "A, B",
       [](layout const& a, layout const& b, step_limit steps) {
         return axe::try_difference(a, b, steps);
       },
       "the first element that A and B place differently, with both sets of places, or none"},
      {"is_injective", "L",
       [](layout const& l, step_limit steps) { return axe::try_is_injective(l, steps); },
       "true if no place holds two different elements"},
      {"group", "L, S", [](layout const& l, shape const& s) { return axe::try_group(l, s); },
       "L with one block of iters for each dimension of S"},
      {"group_many", "L, {S1, S2, …}",
       [](layout const& l, std::vector<shape> const& shapes) {
         return axe::try_group_many(l, shapes.data(), static_cast<int>(shapes.size()));
       },
       "L with the coarsest blocks that group by each of the shapes"},
      {"compose", "A, B",
       [](layout const& a, layout const& b, step_limit steps) {
         return axe::try_compose(a, b, steps);
       },
       "A after B: C(x) = A(B(x))"},
      {"compose", "swizzle, L",
       [](axe::swizzle const& f, layout const& l, step_limit steps) {
         return axe::try_compose(f, l, steps);
       },
       "L with its addresses swizzled"},
      {"inverse", "L, (axis, …)",
       [](layout const& l, axe::axis_list const& axes, step_limit steps) {
         return axe::try_inverse(l, axes, steps);
       },
       "the layout from positions on the axes, counted from the smallest, to elements on m"},
  };
}

}  // namespace calculator
