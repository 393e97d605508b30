// SPDX-License-Identifier: MIT
// tcgen05.mma's A and scale factors in tensor memory, and the blocks of scale factors that
// tcgen05.cp copies there.
//
//     a_in_tensor_memory(data_path::D, 64, 16) S[(128,64):(1@TLane,1@TCol)]
//     scale_factors_in_tensor_memory(128, 4)   S[(4,32,4):(4@TCol,1@TLane,1@TCol)] + R[4:32@TLane]
//
// TCol counts elements of A and bytes of scale factors. Sources: PTX ISA, "Block Scaling for
// tcgen05.mma"; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/tensor_memory.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// A has shape (M, k). Each lane with elements of the accumulator's row r has row r of A.
AXE_LAZY_FN constexpr outcome<layout> try_a_in_tensor_memory(data_path path, integer k,
                                                             integer bits) {
  using namespace detail;
  if (refusal const bad = check_operand_width(bits)) return bad;
  integer const column_elements = 32 / bits, columns = k / column_elements;
  if (k % column_elements != 0) return refusal{rule::mma_does_not_divide, {k, column_elements}};
  if (columns < 1 || columns > tensor_memory_columns)
    return refusal{rule::tmem_columns, {columns, 1}};
  integer const blocks = blocks_of_columns(path);
  return prescribed({groups_of_rows(path), {16, 1, axis::TLane}, {k, 1, axis::TCol}},
                    {blocks, tensor_memory_lanes / blocks, axis::TLane});
}

AXE_LAZY_FN constexpr layout a_in_tensor_memory(data_path path, integer k, integer bits) {
  return detail::stop_on(try_a_in_tensor_memory(path, k, bits), "a_in_tensor_memory");
}

/// `rows` must be a multiple of 32, `factors` 1, 2 or a multiple of 4.
AXE_LAZY_FN constexpr outcome<layout> try_scale_factors_in_tensor_memory(integer rows,
                                                                         integer factors) {
  using enum axis;
  if (rows < 32 || rows % 32 != 0) return refusal{rule::mma_does_not_divide, {rows, 32}};
  integer const word = factors == 1 || factors == 2 ? factors : 4;
  if (factors < 1 || factors % word != 0)
    return refusal{rule::mma_does_not_divide, {factors, word}};
  integer columns = rows / 32;
  if (!detail::multiply(columns, factors / word))
    return refusal{rule::result_size_overflows, {rows, factors}};
  if (columns > tensor_memory_columns) return refusal{rule::tmem_columns, {columns, 1}};
  return detail::prescribed(
      {{rows / 32, 4, TCol}, {32, 1, TLane}, {factors / word, rows / 8, TCol}, {word, 1, TCol}},
      {4, 32, TLane});
}

AXE_LAZY_FN constexpr layout scale_factors_in_tensor_memory(integer rows, integer factors) {
  return detail::stop_on(try_scale_factors_in_tensor_memory(rows, factors),
                         "scale_factors_in_tensor_memory");
}

/// Scale factors in shared memory. One tcgen05.cp.32x128b.warpx4 copies a block of 128 x 4 bytes.
AXE_LAZY_FN constexpr outcome<layout> try_scale_factor_blocks(integer rows, integer factors) {
  using enum axis;
  if (rows < 128 || rows % 128 != 0) return refusal{rule::mma_does_not_divide, {rows, 128}};
  if (factors < 4 || factors % 4 != 0) return refusal{rule::mma_does_not_divide, {factors, 4}};
  integer size = rows;
  if (!detail::multiply(size, factors))
    return refusal{rule::result_size_overflows, {rows, factors}};
  return detail::prescribed(
      {{rows / 128, 128 * factors, m}, {4, 4, m}, {32, 16, m}, {factors / 4, 512, m}, {4, 1, m}});
}

AXE_LAZY_FN constexpr layout scale_factor_blocks(integer rows, integer factors) {
  return detail::stop_on(try_scale_factor_blocks(rows, factors), "scale_factor_blocks");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
