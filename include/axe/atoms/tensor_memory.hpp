// SPDX-License-Identifier: MIT
// Tensor memory, in columns of 32 bits: fragments of tcgen05.ld and .st, and the layout of
// tcgen05.mma's accumulator.
//
//     tensor_memory_fragment(tmem_shape::lanes_32_bits_32, 8)   (32,8)   S[(32,8):(1@lane,1@reg)]
//     accumulator_in_tensor_memory(data_path::E, 64)    S[(64,2,32):(1@TLane,64@TLane,1@TCol)]
//
// Sources: PTX ISA, "Data Movement Shape", "Data Path Layout Organization"; docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The shapes of tcgen05.ld: .32x32b, .16x64b, .16x128b, .16x256b and .16x32bx2.
enum class tmem_shape : unsigned char {
  lanes_32_bits_32,
  lanes_16_bits_64,
  lanes_16_bits_128,
  lanes_16_bits_256,
  lanes_16_bits_32_twice
};

/// PTX's layouts A to G of the accumulator. cta_group::2: A for M = 256, B for M = 128, C for M =
/// 128 sparse. One CTA: D for M = 128, F for M = 64; with .ws E for M = 64, G for M = 32.
enum class data_path : unsigned char { A, B, C, D, E, F, G };

inline constexpr integer tensor_memory_columns = 512;
inline constexpr integer tensor_memory_lanes = 128;

namespace detail {

/// The columns that .x1 copies.
AXE_LAZY_FN constexpr integer columns_of(tmem_shape s) {
  constexpr unsigned char columns[] = {1, 2, 4, 8, 2};
  return columns[static_cast<int>(s)];
}

AXE_LAZY_FN constexpr shape shape_of(tmem_shape s, integer repeat) {
  switch (s) {
    case tmem_shape::lanes_32_bits_32: return {32, repeat};
    case tmem_shape::lanes_16_bits_32_twice: return {16, 2, repeat};
    default: return {16, columns_of(s) * repeat};
  }
}

/// The number of blocks of columns. Each block has its own lanes.
AXE_LAZY_FN constexpr integer blocks_of_columns(data_path path) {
  constexpr unsigned char blocks[] = {1, 2, 1, 1, 2, 1, 4};
  return blocks[static_cast<int>(path)];
}
/// In paths C and F, 16 rows fill half of a warp's lanes.
AXE_LAZY_FN constexpr iter groups_of_rows(data_path path) {
  if (path == data_path::C || path == data_path::F) return {4, 32, axis::TLane};
  return {8 / blocks_of_columns(path), 16, axis::TLane};
}

}  // namespace detail

/// `repeat` is the N of .xN.
AXE_LAZY_FN constexpr outcome<layout> try_tensor_memory_fragment(tmem_shape s, integer repeat) {
  using namespace detail;
  using enum axis;
  using enum tmem_shape;
  integer const most = smaller(128, 256 / columns_of(s));  // at most 128 registers
  if (!is_power_of_two(repeat) || repeat > most) return refusal{rule::tmem_repeat, {repeat, most}};
  switch (s) {
    case lanes_16_bits_64:
      return prescribed({{2, 1, lane}, {8, 4, lane}, {repeat, 1, reg}, {2, 2, lane}});
    case lanes_16_bits_128:
      return prescribed({{2, 1, reg}, {8, 4, lane}, {repeat, 2, reg}, {4, 1, lane}});
    case lanes_16_bits_256:
      return prescribed({{2, 2, reg}, {8, 4, lane}, {repeat, 4, reg}, {4, 1, lane}, {2, 1, reg}});
    case lanes_16_bits_32_twice:
      return prescribed({{16, 1, lane}, {2, 16, lane}, {repeat, 1, reg}});
    default: return prescribed({{32, 1, lane}, {repeat, 1, reg}});
  }
}

AXE_LAZY_FN constexpr layout tensor_memory_fragment(tmem_shape s, integer repeat) {
  return detail::stop_on(try_tensor_memory_fragment(s, repeat), "tensor_memory_fragment");
}

/// The accumulator has the shape (rows, columns), and at most 512 columns on a lane.
AXE_LAZY_FN constexpr outcome<layout> try_accumulator_in_tensor_memory(data_path path,
                                                                       integer columns) {
  integer const blocks = detail::blocks_of_columns(path);
  if (columns < 1 || columns % blocks != 0 || columns / blocks > tensor_memory_columns)
    return refusal{rule::tmem_columns, {columns, blocks}};
  return detail::prescribed({detail::groups_of_rows(path),
                             {16, 1, axis::TLane},
                             {blocks, tensor_memory_lanes / blocks, axis::TLane},
                             {columns / blocks, 1, axis::TCol}});
}

AXE_LAZY_FN constexpr layout accumulator_in_tensor_memory(data_path path, integer columns) {
  return detail::stop_on(try_accumulator_in_tensor_memory(path, columns),
                         "accumulator_in_tensor_memory");
}

/// Scale factors (32, columns), with a replica on each quarter of the lanes.
AXE_LAZY_FN constexpr outcome<layout> try_scale_factors_in_tensor_memory(integer columns) {
  if (columns < 1 || columns > tensor_memory_columns)
    return refusal{rule::tmem_columns, {columns, 1}};
  return detail::prescribed({{32, 1, axis::TLane}, {columns, 1, axis::TCol}}, {4, 32, axis::TLane});
}

AXE_LAZY_FN constexpr layout scale_factors_in_tensor_memory(integer columns) {
  return detail::stop_on(try_scale_factors_in_tensor_memory(columns),
                         "scale_factors_in_tensor_memory");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
