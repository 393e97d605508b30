// The functions for tiles and direct sums, and for the factors of both.
#include "eval/function.hpp"

#include <axe/algebra/factor.hpp>

namespace calculator {

using axe::layout;
using axe::shape;
using axe::step_limit;

std::vector<function> tile_functions() {
  return {
      {"tile", "A, S_A, B, S_B",
       [](layout const& a, shape const& s, layout const& b, shape const& t, step_limit steps) {
         return axe::try_tile(a, s, b, t, steps);
       },
       "B once for each element of A: the strides of A are scaled by the span of B"},
      {"tile_to", "B, S_B, S",
       [](layout const& b, shape const& s, shape const& whole, step_limit steps) {
         return axe::try_tile_to(b, s, whole, steps);
       },
       "B repeated row-major on m up to the shape S"},
      {"tile_outer", "T, S_T, B, S_B",
       [](layout const& t, shape const& s, layout const& b, shape const& u, step_limit steps) {
         return axe::try_tile_outer(t, s, b, u, steps);
       },
       "the A with tile(A, …, B, S_B) equal to T"},
      {"tile_inner", "T, S_T, A, S_A",
       [](layout const& t, shape const& s, layout const& a, shape const& u, step_limit steps) {
         return axe::try_tile_inner(t, s, a, u, steps);
       },
       "the B with tile(A, S_A, B, …) equal to T"},
      {"direct_sum", "A, S_A, B, S_B",
       [](layout const& a, shape const& s, layout const& b, shape const& t, step_limit steps) {
         return axe::try_direct_sum(a, s, b, t, steps);
       },
       "A(p) + B(q): a tile without scaling"},
      {"sum_outer", "T, S_T, B, S_B",
       [](layout const& t, shape const& s, layout const& b, shape const& u, step_limit steps) {
         return axe::try_sum_outer(t, s, b, u, steps);
       },
       "the A with direct_sum(A, …, B, S_B) equal to T"},
      {"sum_inner", "T, S_T, A, S_A",
       [](layout const& t, shape const& s, layout const& a, shape const& u, step_limit steps) {
         return axe::try_sum_inner(t, s, a, u, steps);
       },
       "the B with direct_sum(A, S_A, B, …) equal to T"},
  };
}

}  // namespace calculator
