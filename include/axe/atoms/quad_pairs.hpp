// quad_pair_fragment(operand, order): which lane and register of a warp holds each element of the
// four products of mma.sync.m8n8k4 with f16.
//
//     quad_pair_fragment(mma_operand::a, quad_pair_order::rows)          (4,8,4)   S[(4,2,4,4):(4@lane,16@lane,1@lane,1@reg)]
//     quad_pair_fragment(mma_operand::accumulator, quad_pair_order::f32) (4,8,8)   S[(4,2,2,2,2,2,2):(4@lane,16@lane,2@reg,1@lane,4@reg,2@lane,1@reg)]
//
// Product p is that of the lanes 4p to 4p + 3 and 16 + 4p to 16 + 4p + 3: shape (4, M, K), (4, K,
// N) or (4, M, N). A lane holds four neighbours of A and of B: along K or along the other
// dimension, whichever the instruction is told (.row, .col); eight of the sums, in an order of
// their own where they are f32. It is no case of mma_fragment's law, and axe::mma does not use it:
// on sm_80 and later the products of 16 rows are the ones to take.
// Refused: an order that the operand has not.
// Source: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type". Definition:
// docs/algebra.md, D23.
#pragma once

#include <axe/atoms/atom.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Of A and B what a lane holds four neighbours of: rows and columns of the matrix (.row, .col). Of
/// the sums their type.
enum class quad_pair_order : unsigned char { rows, columns, f16, f32 };

AXE_PLANNER constexpr outcome<layout> try_quad_pair_fragment(mma_operand operand,
                                                             quad_pair_order order) {
  bool const sums = operand == mma_operand::accumulator;
  if (sums != (order == quad_pair_order::f16 || order == quad_pair_order::f32))
    return refusal{rule::mma_no_such_shape, {8, 8, 4, 16}};
  iter const product{4, 4, axis::lane}, upper{2, 16, axis::lane}, across{4, 1, axis::lane},
      held{4, 1, axis::reg};
  if (operand == mma_operand::a)
    return order == quad_pair_order::rows ? detail::prescribed({product, upper, across, held})
                                          : detail::prescribed({product, upper, held, across});
  if (operand == mma_operand::b)
    return order == quad_pair_order::rows ? detail::prescribed({product, across, upper, held})
                                          : detail::prescribed({product, held, upper, across});
  if (order == quad_pair_order::f16)
    return detail::prescribed({product, upper, across, {8, 1, axis::reg}});
  return detail::prescribed({product,
                             upper,
                             {2, 2, axis::reg},
                             {2, 1, axis::lane},
                             {2, 4, axis::reg},
                             {2, 2, axis::lane},
                             {2, 1, axis::reg}});
}

AXE_PLANNER constexpr layout quad_pair_fragment(mma_operand operand, quad_pair_order order) {
  outcome<layout> const result = try_quad_pair_fragment(operand, order);
  if (!result) detail::stop_on(result.why, "quad_pair_fragment", {});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
