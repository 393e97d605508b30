// The functions `linear.NAME` for linear maps over F2.
#include "eval/function.hpp"

#include <axe/linear.hpp>

namespace calculator {

using axe::axis;
using axe::axis_list;
using axe::integer;
using axe::layout;
using axe::linear_map;
using axe::outcome;
using axe::place;
using axe::shape;

std::vector<function> linear_functions() {
  return {
      {"linear", "L, S", [](layout const& l, shape const& s) { return axe::try_linear(l, s); },
       "L on S as a linear map over F2, from dim0, dim1, … and replica to the axes of L"},
      {"linear", "swizzle, n",
       [](axe::swizzle const& f, integer n) { return axe::try_linear(f, n); },
       "the swizzle as a linear map of 2^n addresses on m"},
      {"linear.owner", "L, S",
       [](layout const& l, shape const& s) { return axe::try_owner_map(l, s); },
       "from the axes of L to the element that each place holds, on dim0, dim1, …"},
      {"linear.layout", "A", [](linear_map const& m) { return axe::try_to_layout(m); },
       "the layout with these places; in-axes are dimensions, replica is R"},
      {"linear.matrix", "A",
       [](linear_map const& m) -> outcome<matrix> {
         if (axe::refusal const bad = axe::check(m); bad.which != axe::rule::none) return bad;
         return matrix{m};
       },
       "the rows of its matrix, lowest out-bit first"},
      {"linear.apply", "A, place",
       [](linear_map const& m, place const& p) { return axe::try_apply(m, p); },
       "the image of a place of the in-axes"},
      {"linear.compose", "A, B",
       [](linear_map const& a, linear_map const& b) { return axe::try_compose(a, b); },
       "A after B; B's out-axes are A's in-axes"},
      {"linear.multiply", "A, B",
       [](linear_map const& a, linear_map const& b) { return axe::try_multiply(a, b); },
       "the direct sum: A on the low bits of each axis, B on the bits above"},
      {"linear.divide_left", "T, A",
       [](linear_map const& t, linear_map const& a) { return axe::try_divide_left(t, a); },
       "the X with linear.multiply(A, X) equal to T"},
      {"linear.divide_right", "T, A",
       [](linear_map const& t, linear_map const& a) { return axe::try_divide_right(t, a); },
       "the X with linear.multiply(X, A) equal to T"},
      {"linear.invert", "A", [](linear_map const& m) { return axe::try_invert(m); }, "the inverse"},
      {"linear.pseudo_invert", "A", [](linear_map const& m) { return axe::try_pseudo_invert(m); },
       "from each image to its least preimage"},
      {"linear.preimage", "A", [](linear_map const& m) { return axe::try_preimage(m); },
       "from each image to all its preimages, numbered by the axis replica"},
      {"linear.invert_and_compose", "A, B",
       [](linear_map const& a, linear_map const& b) { return axe::try_invert_and_compose(a, b); },
       "the C with A(C(x)) = B(x); of several C(x) the nearest to x"},
      {"linear.rank", "A", [](linear_map const& m) { return axe::try_rank(m); },
       "the number of independent bits of the image"},
      {"linear.kernel", "A", [](linear_map const& m) { return axe::try_kernel(m); },
       "the inputs that, XORed to another input, keep its image; numbered by the axis replica"},
      {"linear.part", "A, (axis, …), (axis, …)",
       [](linear_map const& m, axis_list const& in, axis_list const& out) {
         return axe::try_part(m, in, out);
       },
       "A from these in-axes, with the others at 0, to these out-axes; () is no axis"},
      {"linear.quotient", "A, (axis, …)",
       [](linear_map const& m, axis_list const& kept) { return axe::try_quotient(m, kept); },
       "A without these axes, which it must map to themselves"},
      {"linear.equivalent", "A, B",
       [](linear_map const& a, linear_map const& b) { return axe::try_equivalent(a, b); },
       "true if A and B are the same map"},
  };
}

}  // namespace calculator
