// SPDX-License-Identifier: MIT
// quad_pair_fragment(operand, order): the lane and register of each element of the four products of
// mma.sync.m8n8k4 with f16.
//
//     quad_pair_fragment(mma_operand::a, quad_pair_order::rows)   (4,8,4)
//                                                  S[(4,2,4,4):(4@lane,16@lane,1@lane,1@reg)]
//
// Lanes 4p to 4p + 3 and 16 + 4p to 19 + 4p compute product p. axe::mma does not use this shape.
// Source: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16". Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/mma_atom.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// For A and B this is the qualifier .row or .col: a lane holds four neighbours of a row or of a
/// column. For the accumulator it is the element type, which decides the order of the registers.
enum class quad_pair_order : unsigned char { rows, columns, f16, f32 };

AXE_LAZY_FN constexpr outcome<layout> try_quad_pair_fragment(mma_operand operand,
                                                             quad_pair_order order) {
  using namespace detail;
  bool const sums = operand == mma_operand::accumulator;
  if (sums != (order == quad_pair_order::f16 || order == quad_pair_order::f32))
    return refusal{rule::mma_no_such_shape, {8, 8, 4, 16}};
  iter const product{4, 4, axis::lane}, upper{2, 16, axis::lane}, across{4, 1, axis::lane},
      held{4, 1, axis::reg};
  if (operand == mma_operand::a)
    return order == quad_pair_order::rows ? prescribed({product, upper, across, held})
                                          : prescribed({product, upper, held, across});
  if (operand == mma_operand::b)
    return order == quad_pair_order::rows ? prescribed({product, across, upper, held})
                                          : prescribed({product, held, upper, across});
  if (order == quad_pair_order::f16) return prescribed({product, upper, across, {8, 1, axis::reg}});
  return prescribed({product,
                     upper,
                     {2, 2, axis::reg},
                     {2, 1, axis::lane},
                     {2, 4, axis::reg},
                     {2, 2, axis::lane},
                     {2, 1, axis::reg}});
}

AXE_LAZY_FN constexpr layout quad_pair_fragment(mma_operand operand, quad_pair_order order) {
  auto const result = try_quad_pair_fragment(operand, order);
  detail::stop_on(result.why, "quad_pair_fragment");
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
